#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/points/point_field.hpp>
#include <armilla/transform/field.hpp>

#include <vector>

namespace armilla::ops {

/// Collective. Root mean square difference of two alm fields of equal layout, over all (l, m) including m < 0. The
/// result is per component, for map `map`, or for the only map of a field that has one. It is divided by the rms of
/// `reference`, or absolute if that is zero.
template <class T>
std::vector<double> relative_error(const comm::Communicator& comm, const transform::AlmField<T>& value,
                                   const transform::AlmField<T>& reference, core::Index map = 0);

/// Not collective. Throws InputError if the numbers of points differ, or if a point is more than 1e-9 rad from its
/// position in `other`. The message contains the index of the first such point.
void check_same_points(const points::LocalPoints& own, const points::LocalPoints& other);

/// Difference between two sets of values.
struct ValueDifference {
  double relative_rms;  ///< divided by the rms of the reference; absolute if that is zero
  double largest;       ///< absolute
};

/// Collective. Differences of values at the same points, per component, for map `map`, or for the only map of an
/// operand that has one. Throws InputError like check_same_points(), and for different kinds.
template <class T>
std::vector<ValueDifference> value_differences(const comm::Communicator& comm, const points::PointField<T>& value,
                                               const points::PointField<T>& reference, core::Index map = 0);

}  // namespace armilla::ops
