#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/math/euler.hpp>
#include <armilla/transform/field.hpp>

namespace armilla::ops {

/// Collective. Rotates a field of any kind in place, all maps alike: a map f becomes g with g(R x) = f(x), Q and U with
/// their frame. Coefficients travel to ranks that own all m of some l and back, up to rotation::kMaxFields components
/// at a time; a rotation about z, or one that turns z over, needs no exchange. The same bit for bit on any number of
/// ranks and threads and in any batch. Imaginary parts of a_l0 count as zero.
/// Throws InputError if mmax < lmax, for rotated coefficients have all m, and for angles that are not finite.
template <class T>
void rotate(const comm::Communicator& comm, transform::AlmField<T>& alm, const math::EulerAngles& angles);

/// Of rotate() on `rank`, besides its argument.
template <class T>
core::MemoryEstimate rotate_memory(const dist::AlmDistribution& alm, core::Index fields, int rank);

}  // namespace armilla::ops
