#pragma once

#include <armilla/legendre/task.hpp>

#include <span>
#include <vector>

namespace armilla::backend {

using core::Index;

/// [local m] The first pair of the source rings that it needs, after the last target to which m does not contribute;
/// the number of pairs if m contributes to no target.
std::vector<Index> first_source_pairs(const legendre::Task& task, std::span<const double> source_sin);

/// Contents of Delta of source rings in memory: all local m one after the other, or one m at a time.
enum class SourceDelta { kAllOrders, kOneOrder };

/// A task on the source rings of a resampler. Delta has the layout [local m][source pair][north, south][component,
/// map], the first index for kAllOrders only. Coefficients have the layout of the given task. Keeps the spans of that
/// task and of the rings (ThetaResampler::source_cos, source_sin). Not movable, because the task holds spans to its
/// tables.
class SourceRings {
 public:
  SourceRings(const legendre::Task& task, std::span<const double> source_cos, std::span<const double> source_sin,
              SourceDelta delta = SourceDelta::kAllOrders);
  SourceRings(const SourceRings&) = delete;
  SourceRings& operator=(const SourceRings&) = delete;

  const legendre::Task& task() const { return task_; }
  /// Number of elements of its Delta.
  Index delta_size() const { return delta_size_; }

 private:
  legendre::Task task_;
  Index delta_size_ = 0;
  std::vector<Index> first_pair_, block_shift_, north_slot_, south_slot_;
  std::vector<int> pair_block_;
};

}  // namespace armilla::backend
