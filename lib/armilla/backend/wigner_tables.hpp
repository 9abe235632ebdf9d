#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/legendre/task.hpp>

#include <algorithm>
#include <bit>
#include <vector>

#include <kernels/legendre/wigner_task.hpp>

namespace armilla::backend {

using core::Index;

/// Local m with index k_begin .. k_begin + k_count - 1, and the largest number of pair blocks of one of them.
struct WignerRange {
  Index k_begin;
  Index k_count;
  Index max_blocks;
};

/// Host tables of the Wigner recurrence on pairs pair_begin .. pair_end - 1 of a task; devices copy them.
class WignerTables {
 public:
  WignerTables(const legendre::Task& task, Index pair_begin, Index pair_end);

  /// The task with pointers to these tables, or to copies of them. add(table) returns the Pointer to a table,
  /// kernels::KernelPointer or kernels::DevicePointer, which stays valid.
  template <template <class> class Pointer, class Add>
  kernels::WignerTaskOf<Pointer> task(const Add& add) const;

  /// Local m in ranges whose partial sums fit in `max_bytes` for any number of maps; at least one m per range.
  std::vector<WignerRange> ranges(Index max_bytes) const;
  /// Local m with index k_begin .. k_end - 1 as one range.
  WignerRange range(Index k_begin, Index k_end) const;
  /// Number of values in the partial sums of a range.
  Index partial_numbers(const WignerRange& range) const;
  Index own_m() const { return static_cast<Index>(m_.size()); }
  Index maps() const { return plain_.maps; }

  /// Device memory of DeviceWigner: the tables, and partial sums for at least a single m, at most for all.
  static DeviceEstimate memory(const legendre::Task& task, Index pair_begin, Index pair_end);

 private:
  Index blocks(Index k) const;
  Index units(Index k) const;

  kernels::DeviceWignerTask plain_;  ///< without pointers
  std::vector<Index> m_, alm_offset_, first_pair_, block_shift_, north_slot_, south_slot_, partial_unit_;
  std::vector<int> pair_block_, norm_scale_, cosine_scale_, sine_scale_;
  std::vector<double> norm_, one_minus_cos_, cosine_low_, cosine_high_, sine_low_, sine_high_;
};

template <template <class> class Pointer, class Add>
kernels::WignerTaskOf<Pointer> WignerTables::task(const Add& add) const {
  auto task = std::bit_cast<kernels::WignerTaskOf<Pointer>>(plain_);
  task.rings.block_shift = add(block_shift_);
  task.rings.pair_block = add(pair_block_);
  task.rings.north_slot = add(north_slot_);
  task.rings.south_slot = add(south_slot_);
  task.m = add(m_);
  task.alm_offset = add(alm_offset_);
  task.first_pair = add(first_pair_);
  task.partial_unit = add(partial_unit_);
  task.norm = add(norm_);
  task.norm_scale = add(norm_scale_);
  task.one_minus_cos = add(one_minus_cos_);
  task.cosine = {add(cosine_low_), add(cosine_high_), add(cosine_scale_)};
  task.sine = {add(sine_low_), add(sine_high_), add(sine_scale_)};
  return task;
}

/// Calls run(call, maps) for all maps of a range, in groups of `maps` that share a recurrence. Up to `max_groups`
/// groups run at once, each with space for `group_partials` values.
template <template <class> class Pointer, class Run>
void for_each_call(const kernels::WignerTaskOf<Pointer>& task, const WignerRange& range, Index max_groups,
                   Index group_partials, Run&& run) {
  for (Index map = 0; map < task.maps;) {
    const int maps = kernels::wigner_maps(task.maps - map);
    const Index groups = std::min((task.maps - map) / maps, max_groups);
    run(kernels::WignerCallOf<Pointer>{task, range.k_begin, range.k_count, map, range.max_blocks, groups,
                                       group_partials},
        maps);
    map += groups * maps;
  }
}

}  // namespace armilla::backend
