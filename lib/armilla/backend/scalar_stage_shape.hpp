#pragma once

#include <armilla/legendre/pair_parts.hpp>
#include <armilla/legendre/task.hpp>

#include <algorithm>
#include <vector>

#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::backend {

using core::Index;

/// Local m with index begin .. end - 1, processed at once.
struct OrderRange {
  Index begin, end;

  Index count() const { return end - begin; }
  static OrderRange all(const legendre::Task& task) { return {0, static_cast<Index>(task.m.size())}; }
};

/// Calls work() for the intersection of each range with `orders`, if it is not empty.
template <class Work>
void for_each_range(const std::vector<OrderRange>& ranges, const OrderRange& orders, const Work& work) {
  for (const OrderRange& range : ranges) {
    const OrderRange some{std::max(range.begin, orders.begin), std::min(range.end, orders.end)};
    if (some.begin < some.end) work(some);
  }
}

enum class Direction { kSynthesis, kAdjoint };

/// The units that multiply values of recurrences with coefficients or Delta on a device: CUDA cores or FP64 tensor
/// cores. kByTask selects tensor cores if they are faster (kernels::has_tensor_cores), sums are in double, and
/// the task allows them (legendre::Task::allow_tensor_cores).
enum class Products { kByTask, kCudaCores, kTensorCores };

/// Work distribution of the Legendre stage by the scalar recurrence on a device, computed without a device. It covers
/// the pairs of a task starting at legendre::PairParts::wigner, for spins 0 to 3.
class ScalarStageShape {
 public:
  /// `sums`: precision in which products are summed; rings where float would lose too much accuracy use double. Scratch
  /// is counted for each kernel that `products` may select. `limits` are those of the kernels on CUDA cores. Throws
  /// InternalError for higher spins, and for tensor cores with sums in float.
  explicit ScalarStageShape(const legendre::Task& task, core::Precision sums = core::Precision::kDouble,
                            Products products = Products::kByTask,
                            const kernels::PairLimits& limits = kernels::PairLimits::of<kernels::Production>());

  core::Precision sums() const { return sums_; }
  const legendre::PairParts& parts() const { return parts_; }
  /// [local m, and the end] number of steps of all previous local m.
  const std::vector<Index>& first_step() const { return first_step_; }

  /// Blocks of pairs for the synthesis of `orders` local m, where `together` fields of each of `groups` groups share a
  /// recurrence. Blocks are chosen to fill a device.
  kernels::PairBlocks synthesis_blocks(int together, Index groups, Index orders) const;
  /// Blocks of pairs for the adjoint. They determine the summation order, and depend only on lmax and the pairs of the
  /// grid.
  kernels::PairBlocks adjoint_blocks() const;
  /// Blocks of pairs for tensor cores, for synthesis and adjoint.
  kernels::PairBlocks tensor_synthesis_blocks(int together, Index groups, Index orders) const;
  kernels::PairBlocks tensor_adjoint_blocks() const;
  /// Whether tensor cores are used, on a device with or without them (kernels::has_tensor_cores).
  bool tensor_cores(bool has_them) const;

  /// Whether any pairs use rows of a kind.
  bool has(kernels::RowKind kind) const;
  /// Two values of all kinds of rows of a step.
  Index rows_per_step() const;
  /// Number of steps of some local m.
  Index steps(const OrderRange& range) const;
  /// The two parts of scratch for some local m: rows, and coefficients or partial sums.
  Index work(const OrderRange& range, Direction direction) const;
  /// Local m in ranges whose scratch fits in `bytes`, or one by one.
  std::vector<OrderRange> ranges(Direction direction, Index bytes) const;
  /// The two parts of scratch needed by all these ranges in both directions.
  Index max_work(Index bytes) const;
  /// Bytes of scratch for any ranges: as max_work() for ranges of single m, and for one range of all m.
  struct Bounds {
    Index single, all;
  };
  Bounds work_bounds() const;

 private:
  kernels::PairBlocks blocks_of(int pairs_per_thread, int max_threads) const;

  core::Precision sums_;
  Products products_;
  kernels::PairLimits limits_;
  legendre::PairParts parts_;
  Index single_begin_, single_end_;  ///< pairs whose products are summed in float
  Index fields_;
  bool allow_tensor_cores_;
  Index own_m_;
  std::vector<Index> first_step_;
};

}  // namespace armilla::backend
