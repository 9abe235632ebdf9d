#pragma once

#include <armilla/legendre/task.hpp>

#include <algorithm>
#include <bit>
#include <vector>

#include <kernels/legendre/wigner_task.hpp>

namespace armilla::backend {

using core::Index;

/// The arrays that a kernels::WignerTask points to, on the host or on a device.
template <template <class> class Array>
struct WignerArrays {
  Array<Index> m, alm_offset, first_pair, block_shift, north_slot, south_slot, partial_unit;
  Array<int> pair_block;
  Array<double> norm, one_minus_cos, cosine_low, cosine_high, sine_low, sine_high;
  Array<int> norm_scale, cosine_scale, sine_scale;
};

/// Own m k_begin .. k_begin + k_count - 1, and the most blocks of pairs that one of them has.
struct WignerPart {
  Index k_begin;
  Index k_count;
  Index max_blocks;
};

/// Host tables of the Wigner recurrence on pairs pair_begin .. pair_end - 1 of a task, from which devices have theirs.
class WignerTables {
 public:
  template <class T>
  using Vector = std::vector<T>;

  WignerTables(const legendre::Task& task, Index pair_begin, Index pair_end);

  const WignerArrays<Vector>& arrays() const { return arrays_; }
  /// With pointers to these arrays, or to copies of them: kernels::KernelPointer or kernels::DevicePointer.
  template <template <class> class Pointer, template <class> class Array>
  kernels::WignerTaskOf<Pointer> task(const WignerArrays<Array>& arrays) const;

  /// Own m in parts whose partial sums fit into `max_bytes` for any number of maps; at least one m each.
  std::vector<WignerPart> parts(Index max_bytes) const;
  /// Own m k_begin .. k_end - 1 at once.
  WignerPart part(Index k_begin, Index k_end) const;
  /// Numbers of the partial sums of a part.
  Index partial_numbers(const WignerPart& part) const;
  Index own_m() const { return static_cast<Index>(arrays_.m.size()); }
  Index maps() const { return plain_.maps; }

  /// Bytes of the tables of `task`'s shape.
  static Index bytes(const legendre::Task& task, Index pair_begin, Index pair_end);

 private:
  Index blocks(Index k) const;
  Index units(Index k) const;

  kernels::DeviceWignerTask plain_;  ///< without pointers
  WignerArrays<Vector> arrays_;
  Index max_maps_ = 0;  ///< of one launch
};

template <template <class> class Pointer, template <class> class Array>
kernels::WignerTaskOf<Pointer> WignerTables::task(const WignerArrays<Array>& arrays) const {
  auto task = std::bit_cast<kernels::WignerTaskOf<Pointer>>(plain_);
  task.rings.block_shift = arrays.block_shift.data();
  task.rings.pair_block = arrays.pair_block.data();
  task.rings.north_slot = arrays.north_slot.data();
  task.rings.south_slot = arrays.south_slot.data();
  task.m = arrays.m.data();
  task.alm_offset = arrays.alm_offset.data();
  task.first_pair = arrays.first_pair.data();
  task.partial_unit = arrays.partial_unit.data();
  task.norm = arrays.norm.data();
  task.norm_scale = arrays.norm_scale.data();
  task.one_minus_cos = arrays.one_minus_cos.data();
  task.cosine = {arrays.cosine_low.data(), arrays.cosine_high.data(), arrays.cosine_scale.data()};
  task.sine = {arrays.sine_low.data(), arrays.sine_high.data(), arrays.sine_scale.data()};
  return task;
}

/// Calls run(call, maps) for all maps of a part, in groups of `maps` that share a recurrence, up to `max_groups` of
/// them at once, each with room for `group_partials` numbers.
template <template <class> class Pointer, class Run>
void for_each_call(const kernels::WignerTaskOf<Pointer>& task, const WignerPart& part, Index max_groups,
                   Index group_partials, Run&& run) {
  for (Index map = 0; map < task.maps;) {
    const int maps = kernels::wigner_maps(task.maps - map);
    const Index groups = std::min((task.maps - map) / maps, max_groups);
    run(kernels::WignerCallOf<Pointer>{task, part.k_begin, part.k_count, map, part.max_blocks, groups, group_partials},
        maps);
    map += groups * maps;
  }
}

}  // namespace armilla::backend
