#pragma once

#include <armilla/legendre/pair_parts.hpp>
#include <armilla/legendre/task.hpp>

#include <span>
#include <vector>

#include <kernels/legendre/scalar_stage.hpp>

namespace armilla::backend {

using core::Index;

/// Own m begin .. end - 1 that are worked on at once.
struct OrderRange {
  Index begin, end;
};

/// Host tables of the Legendre stage by the scalar recurrence, from which devices have theirs, for the pairs of a task
/// that take it (legendre::PairParts), spins 0 to 3.
class ScalarStageTables {
 public:
  explicit ScalarStageTables(const legendre::Task& task);

  /// All that kernels read of numbers and of indices, each as one array.
  const std::vector<double>& numbers() const { return numbers_; }
  const std::vector<Index>& indices() const { return indices_; }
  /// The stage of some own m, with pointers into copies of these arrays; without blocks of pairs and scratch.
  kernels::ScalarStage stage(const OrderRange& range, const double* numbers, const Index* indices) const;

  /// Pairs as the synthesis deals them out where so many fields of `groups` groups share a recurrence: so that there is
  /// enough to do for a device.
  kernels::PairBlocks synthesis_blocks(int together, Index groups) const;
  /// Likewise for the adjoint. The order of sums follows from it: it depends on lmax and the pairs of the grid alone.
  kernels::PairBlocks adjoint_blocks() const;

  /// Whether there are pairs that take rows of a kind.
  bool has(kernels::RowKind kind) const;
  /// Own m in ranges whose scratch of `per_step` Two a step fits into `bytes`, or one by one.
  std::vector<OrderRange> ranges(Index per_step, Index bytes) const;
  /// Steps of some own m.
  Index steps(const OrderRange& range) const;
  /// Two of rows of a step, of all kinds.
  Index rows_per_step() const;
  Index own_m() const { return own_m_; }

  /// Bytes of the tables of a task.
  static Index bytes(const legendre::Task& task);

 private:
  // Places in numbers_ and indices_ of what a stage points to, as whole numbers.
  template <class T>
  static Index append(std::vector<T>& all, std::span<const T> part);

  struct ProductPlaces {
    Index distance, degree[2];
  };
  struct Places {
    ProductPlaces alpha, low, high, row, equator;
    Index row_b[2], alpha_scale, row_scale, root, band_a[kernels::kMostBands], band_b[kernels::kMostBands],
        band_c[kernels::kMostBands];
    Index variable, even_factor, odd_factor, power_low, power_high, power_scale, start_norm;
    Index block, north_slot, south_slot, m, first_step, first_pair, alm_offset, block_shift;
  };
  void append_degrees(const legendre::Task& task);
  void append_pairs(const legendre::Task& task);
  void append_orders(const legendre::Task& task);
  kernels::PairBlocks blocks_of(int pairs_per_thread) const;

  legendre::PairParts parts_;
  kernels::ScalarStage plain_{};  ///< without pointers
  Places places_{};
  std::vector<double> numbers_;
  std::vector<Index> indices_;
  std::vector<Index> first_step_;
  Index own_m_;
};

}  // namespace armilla::backend
