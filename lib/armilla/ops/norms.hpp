#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <vector>

namespace armilla::ops {

/// Collective. Root mean square of the difference of two alm fields of equal layout, over all (l, m) with m < 0 counted
/// too, per component, of map number `map` (of the only one, where a field has one); divided by the rms of `reference`,
/// or absolute where that is zero.
template <class T>
std::vector<double> relative_error(const comm::Communicator& comm, const transform::AlmField<T>& value,
                                   const transform::AlmField<T>& reference, core::Index map = 0);

}  // namespace armilla::ops
