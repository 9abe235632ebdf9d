#pragma once

#include <armilla/core/types.hpp>

namespace armilla::resample {

using core::Index;

/// True where the Legendre stage on the source rings plus resampling costs less than the Legendre stage on all
/// `target_pairs` pairs of rings, per m and map:
///   direct      1.02 (lmax + 1) FMA per pair (6 FMA per two degrees, triangle of m, polar cut),
///   resampling  two FFTs of n and about 1.7 n points, n = lmax + 1, at 5 n log2(n) floating-point operations each, and
///               2 * 4 * kKernelWidth operations per pair; both run at a fraction of the peak that the Legendre stage
///               reaches. Depends on the two numbers only, never on ranks, threads or timings, since it decides bits.
/// A spin adds a second component to both sides alike. Small problems are left alone: the set-up outweighs them.
bool pays(Index lmax, Index target_pairs);

}  // namespace armilla::resample
