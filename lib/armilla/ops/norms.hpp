#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/points/point_field.hpp>
#include <armilla/transform/field.hpp>

#include <vector>

namespace armilla::ops {

/// Collective. Root mean square of the difference of two alm fields of equal layout, over all (l, m) with m < 0 counted
/// too, per component, of map number `map` (of the only one, where a field has one); divided by the rms of `reference`,
/// or absolute where that is zero.
template <class T>
std::vector<double> relative_error(const comm::Communicator& comm, const transform::AlmField<T>& value,
                                   const transform::AlmField<T>& reference, core::Index map = 0);

/// Throws InputError with the number of the first point that is more than 1e-9 rad from its place in `other`, or where
/// their numbers differ. Not collective.
void check_same_points(const points::Places& own, const points::Places& other);

/// How far values are from others.
struct ValueDifference {
  double relative_rms;  ///< divided by the rms of the reference, or absolute where that is zero
  double largest;       ///< absolute
};

/// Collective. Differences of values at the same points, per component, of map number `map` (of the only one, where one
/// of the two has one). Throws InputError as check_same_points(), and for other kinds.
template <class T>
std::vector<ValueDifference> value_differences(const comm::Communicator& comm, const points::PointField<T>& value,
                                               const points::PointField<T>& reference, core::Index map = 0);

}  // namespace armilla::ops
