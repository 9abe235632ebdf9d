#pragma once

#include <armilla/legendre/task.hpp>

#include <span>
#include <vector>

namespace armilla::backend {

using core::Index;

/// The first pair of the source rings that own m need: beyond the last target that does not feel them; none where no
/// target does.
std::vector<Index> first_source_pairs(const legendre::Task& task, std::span<const double> source_sin);

/// A task on the source rings of a resampler for all own m at once, Delta laid out [own m][source pair][north,
/// south][component, map]. Coefficients as in the task that it stands for, whose spans it keeps, as it keeps those of
/// the rings (ThetaResampler::source_cos, source_sin). Not movable, for the task holds spans to its tables.
class SourceRings {
 public:
  SourceRings(const legendre::Task& task, std::span<const double> source_cos, std::span<const double> source_sin);
  SourceRings(const SourceRings&) = delete;
  SourceRings& operator=(const SourceRings&) = delete;

  const legendre::Task& task() const { return task_; }
  /// Numbers of its Delta.
  Index delta_size() const { return delta_size_; }

 private:
  legendre::Task task_;
  Index delta_size_;
  std::vector<Index> first_pair_, block_shift_, north_slot_, south_slot_;
  std::vector<int> pair_block_;
};

}  // namespace armilla::backend
