#pragma once

#include <armilla/legendre/pair_parts.hpp>
#include <armilla/legendre/task.hpp>

#include <vector>

#include <kernels/legendre/scalar_stage.hpp>

namespace armilla::backend {

using core::Index;

/// Own m begin .. end - 1 that are worked on at once.
struct OrderRange {
  Index begin, end;

  Index count() const { return end - begin; }
  static OrderRange all(const legendre::Task& task) { return {0, static_cast<Index>(task.m.size())}; }
};

enum class Direction { kSynthesis, kAdjoint };

/// What multiplies values of recurrences with coefficients or Delta on a device: its CUDA cores, or its FP64 tensor
/// cores. kByCampaign: the latter where they are faster (kernels::has_tensor_cores), sums are in double and the
/// maps are of a campaign (legendre::Task::campaign).
enum class Products { kByCampaign, kCudaCores, kTensorCores };

/// How the Legendre stage by the scalar recurrence deals out its work on a device: plain arithmetic. Of the pairs of a
/// task it has those from legendre::PairParts::wigner on; spins 0 to 3.
class ScalarStageShape {
 public:
  /// `sums`: numbers in which products are summed; at rings where float would lose more than it may, it is double all
  /// the same. Scratch is counted for each kernel that `products` may come to. Throws InternalError for higher spins,
  /// and for tensor cores with sums in float.
  explicit ScalarStageShape(const legendre::Task& task, core::Precision sums = core::Precision::kDouble,
                            Products products = Products::kByCampaign);

  core::Precision sums() const { return sums_; }
  const legendre::PairParts& parts() const { return parts_; }
  /// [own m, and the end] steps of all own m before.
  const std::vector<Index>& first_step() const { return first_step_; }

  /// Pairs as the synthesis of `orders` own m deals them out where so many fields of `groups` groups share a
  /// recurrence: so that there is enough to do for a device.
  kernels::PairBlocks synthesis_blocks(int together, Index groups, Index orders) const;
  /// Likewise for the adjoint. The order of sums follows from it: it depends on lmax and the pairs of the grid alone.
  kernels::PairBlocks adjoint_blocks() const;
  /// The same two for tensor cores.
  kernels::PairBlocks tensor_synthesis_blocks(int together, Index groups, Index orders) const;
  kernels::PairBlocks tensor_adjoint_blocks() const;
  /// Whether tensor cores multiply, on a device that has them (kernels::has_tensor_cores) or that has not.
  bool tensor_cores(bool has_them) const;

  /// Whether there are pairs that take rows of a kind.
  bool has(kernels::RowKind kind) const;
  /// Steps of some own m.
  Index steps(const OrderRange& range) const;
  /// Two of scratch for some own m: rows, and coefficients or partial sums.
  Index work(const OrderRange& range, Direction direction) const;
  /// Own m in ranges whose scratch fits into `bytes`, or one by one.
  std::vector<OrderRange> ranges(Direction direction, Index bytes) const;
  /// Two of scratch that all these ranges of both directions need.
  Index max_work(Index bytes) const;
  /// Bytes of scratch for any ranges: as max_work() where these are single m, and where it is all m.
  struct Bounds {
    Index single, all;
  };
  Bounds work_bounds() const;

 private:
  Index rows_per_step() const;
  kernels::PairBlocks blocks_of(int pairs_per_thread, int max_threads) const;

  core::Precision sums_;
  Products products_;
  legendre::PairParts parts_;
  Index single_begin_, single_end_;  ///< pairs whose products are summed in float
  Index fields_;
  bool campaign_;
  Index own_m_;
  std::vector<Index> first_step_;
};

}  // namespace armilla::backend
