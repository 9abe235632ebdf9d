#pragma once

#include <armilla/transform/field_transform.hpp>

namespace armilla::transform {

/// Number of double-precision fused multiply-adds in the Legendre stage of `rank` for one transform of all maps,
/// synthesis or adjoint. It counts the recurrences on the rings of the grid, independent of the engine. Degrees are
/// counted for each local m and each ring pair (north and south together) to which m contributes. They start at the
/// first degree that is not negligible there: polar_cut(l) >= m. With K maps,
/// - spin 0: 2 + 4 K for each pair of degrees l, l + 1 up to lmax (Ishioka 2018: 2 for y, 4 for the real and imaginary
///   parts of the sums even and odd in x);
/// - spin 1, 2, 3: the same with both components on one y, 2 + 8 K, degrees up to lmax + spin;
/// - higher spins: 4 + 8 K for each degree, at least spin (Wigner recurrence for both signs of the spin).
/// It excludes start values, coefficients, the steps below the first degree, and the savings of resampling in theta. On
/// grids of more than 512 ring pairs, the middle ring pair of each of at most 512 blocks counts for all of its block;
/// the error is below 1e-4.
double legendre_fma(const FieldTransformSpec& spec, int rank);

/// The rings for a count: those of the grid, or the smallest set used as the source of resampling in theta
/// (FieldTransformSpec::legendre_pairs), assumed equidistant.
enum class CountedRings { kGrid, kSource };

/// FMA of one step of the recurrence of a spin with `maps` maps: the factors of legendre_fma().
double fma_of_step(Index spin, Index maps);

/// The number of steps in legendre_fma() for each m of one spin field: [number among the multiples of alm->m_step()].
/// It is independent of the number of ranks and maps; the count of a rank is the sum over its local m.
std::vector<double> legendre_steps_by_m(const FieldTransformSpec& spec, const SpinField& spin_field,
                                        CountedRings rings);

}  // namespace armilla::transform
