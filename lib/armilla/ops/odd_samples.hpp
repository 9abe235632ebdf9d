#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <vector>

/// @file
/// Samples that no field on the sphere has, in one map of a field.

namespace armilla::ops {

using core::Index;

/// Rings whose last pixel has the value of the first in all components, except for rounding errors.
struct RepeatedLongitude {
  Index other = 0;    ///< not 0 if the two differ on any ring
  Index telling = 0;  ///< rings on which they are equal, but no other neighbours are

  bool is_found() const { return other == 0 && telling > 0; }
};

/// Not collective. The rings of this rank. None are counted on HEALPix grids, whose rings cannot have such a pixel.
/// `rounding`: largest rounding error, relative to the largest value of a ring. A map that does not repeat its first
/// longitude is read up to the first ring that shows it.
template <class T>
RepeatedLongitude find_repeated_longitude(const transform::MapField<T>& map, Index place, double rounding);

/// Whether the first or the last ring is at a pole.
bool has_pole_rings(const grid::RingGrid& grid);

/// Not collective. [north, south][spin field]: the range of the values on the ring at the pole, after the factor
/// exp(+-i s phi) that makes them constant for a field of spin s. 0 for a ring of another rank, a grid without a ring
/// at this pole, and rings with pixels that are not finite.
template <class T>
std::vector<double> pole_ranges(const transform::MapField<T>& map, Index place);

/// Collective. [spin field]: the rms of the finite pixels of one map, with weights proportional to their areas.
template <class T>
std::vector<double> field_rms(const comm::Communicator& comm, const transform::MapField<T>& map, Index place);

/// Not collective. [spin field]: the largest |Im a_l0| on this rank.
template <class T>
std::vector<double> largest_imaginary_m0(const transform::AlmField<T>& alm, Index place);

/// Not collective. [spin field]: the largest |Re a_lm| or |Im a_lm| on this rank.
template <class T>
std::vector<double> largest_coefficients(const transform::AlmField<T>& alm, Index place);

/// Not collective. Sets Im a_l0 = 0 in all components.
template <class T>
void drop_imaginary_m0(transform::AlmField<T>& alm, Index place);

}  // namespace armilla::ops
