#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/math/euler.hpp>
#include <armilla/transform/field.hpp>

namespace armilla::ops {

/// Collective. Rotates a field of any kind in place, all maps by the same rotation. A map f becomes g with g(R x) =
/// f(x); Q and U are rotated with their frame. Coefficients are sent to ranks that own all m of some l and back, up to
/// rotation::kMaxFields components at a time. A rotation about z, or one that reverses z, needs no exchange. Bitwise
/// identical on any number of ranks and threads and in any batch. Imaginary parts of a_l0 are treated as zero. Throws
/// InputError if mmax < lmax, because rotated coefficients have all m, and for angles that are not finite.
template <class T>
void rotate(const comm::Communicator& comm, transform::AlmField<T>& alm, const math::EulerAngles& angles);

/// Memory of rotate() on `rank`, without its argument.
template <class T>
core::MemoryEstimate rotate_memory(const dist::AlmDistribution& alm, core::Index fields, int rank);

}  // namespace armilla::ops
