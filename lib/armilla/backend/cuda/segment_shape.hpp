#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/backend/scalar_stage_shape.hpp>

#include <vector>

#include <kernels/legendre/segment_stage.hpp>

namespace armilla::backend {

/// Work distribution and memory of the Legendre stage by segments, computed without a device. It covers the same pairs
/// as ScalarStageShape, with sums in double.
class SegmentShape {
 public:
  explicit SegmentShape(const legendre::Task& task);

  const ScalarStageShape& scalar() const { return scalar_; }
  /// Groups of pairs, those of two terms first. They depend only on lmax and the pairs of the grid. On grids with few
  /// rings, a group has fewer pairs, so that its pairs start to contribute at similar steps.
  const std::vector<kernels::SegmentGroup>& groups() const { return groups_; }
  Index two_term_groups() const { return two_term_groups_; }
  /// [local m] the first group to which m contributes.
  const std::vector<Index>& first_group() const { return first_group_; }
  /// [local m, and the end] sums over all previous local m: of the slots of their groups, and of steps times groups.
  const std::vector<Index>& first_slot() const { return first_slot_; }
  const std::vector<Index>& first_sum() const { return first_sum_; }

  /// Seeds of some local m, in Two values, and rows.
  Index seeds(const OrderRange& range) const;
  Index rows(const OrderRange& range) const { return scalar_.steps(range) * rows_per_step_; }
  /// Scratch of some local m besides these: coefficients, or sums and their totals.
  Index scratch(const OrderRange& range, Direction direction) const;

  /// Arrays of a stage with `bytes` for each of two workspaces. The first one has rows and seeds of as many local m as
  /// fit, the first ones, which are computed once. Those of other local m are computed in each transform, for each
  /// range, and are in the second one with the scratch of the range. If the adjoint needs several ranges, the second
  /// one holds two of them: the sums of one are added while those of the next are computed.
  struct Memory {
    Index kept_orders;
    Index kept, work;    ///< Two values
    Index adjoint_half;  ///< those for every second range of the adjoint start there; 0 for a single range
    std::vector<OrderRange> synthesis, adjoint;
  };
  Memory memory(Index bytes) const;
  /// Device memory of a stage, with the tables of the scalar stage.
  static DeviceEstimate estimate(const legendre::Task& task);

 private:
  Index all_orders() const { return static_cast<Index>(first_group_.size()); }
  void add_groups(const legendre::Task& task, kernels::RowKind rows, Index begin, Index end);
  Index tables() const;

  ScalarStageShape scalar_;
  Index fields_, rows_per_step_;
  std::vector<kernels::SegmentGroup> groups_;
  Index two_term_groups_ = 0;
  std::vector<Index> first_group_, first_slot_{0}, first_sum_{0};
};

}  // namespace armilla::backend
