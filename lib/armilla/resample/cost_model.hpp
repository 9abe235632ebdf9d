#pragma once

#include <armilla/core/types.hpp>

namespace armilla::resample {

using core::Index;

/// True where the Legendre stage on the source rings plus resampling costs less than the Legendre stage on all
/// `target_pairs` pairs of rings, per m and component:
///   direct      1.05 (lmax + 1) FMA per pair (3 FMA per degree, triangle of m, polar cut),
///   resampling  15 n log2(n) FMA for each of the two FFTs with its passes over memory, and 210 FMA per pair; FMA stand
///               for the time that the Legendre stage takes for one.
/// Depends on the two numbers only, never on ranks, threads or timings, since it decides bits. A spin adds a second
/// component to both sides alike. Small problems are left alone: the set-up outweighs them.
bool pays(Index lmax, Index target_pairs);

/// How the rings stand that Delta_m is resampled to.
enum class TargetRings { kEquidistant, kAny };

/// FMA of resampling one m of one component to so many pairs of rings, as pays() counts them; equidistant rings take
/// the FFTs alone.
double resampling_fma(Index lmax, Index target_pairs, TargetRings target);

}  // namespace armilla::resample
