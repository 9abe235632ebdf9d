#pragma once

#include <armilla/transform/field_transform.hpp>

namespace armilla::transform {

/// Fused multiply-adds of doubles that the Legendre stage of `rank` needs for one transform of all maps, synthesis or
/// adjoint alike: what the recurrences themselves cost on the rings of the grid, whatever an engine does.
/// For each own m and each ring pair (north and south together) that feels it, degrees count from the first one that is
/// not negligible there: polar_cut(l) >= m. With K maps,
/// - spin 0: 2 + 4 K for each pair of degrees l, l + 1 up to lmax (Ishioka 2018: 2 for y, 4 for the real and
/// imaginary
///   parts of the sums even and odd in x);
/// - spin 1, 2, 3: the same with both components on one y, 2 + 8 K, degrees up to lmax + spin;
/// - higher spins: 4 + 8 K for each degree, at least spin (Wigner recurrence for both signs of the spin).
/// Start values, coefficients, the steps below the first degree, and what resampling in theta saves are not in it.
double legendre_fma(const FieldTransformSpec& spec, int rank);

/// Which rings a count is for: those of the grid, or the least set that resampling in theta starts from
/// (FieldTransformSpec::legendre_pairs), taken as equidistant.
enum class CountedRings { kGrid, kSource };

/// The same FMA for each m, of one spin field: [number among the multiples of alm->m_step()]. Independent of the number
/// of ranks; a rank has the sum over its own m.
std::vector<double> legendre_fma_by_m(const FieldTransformSpec& spec, const SpinField& spin_field, CountedRings rings);

}  // namespace armilla::transform
