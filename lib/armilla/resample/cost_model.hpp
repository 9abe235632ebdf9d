#pragma once

#include <armilla/core/types.hpp>

namespace armilla::resample {

using core::Index;

/// True if the Legendre stage on the source rings plus resampling costs less than the Legendre stage on all
/// `target_pairs` pairs of rings, per m and component:
///   direct      1.05 (lmax + 1) FMA per pair (3 FMA per degree, triangle of m, polar cut),
///   resampling  15 n log2(n) FMA for each of the two FFTs with its passes over memory, and 210 FMA per pair.
/// One FMA is the time of one FMA in the Legendre stage. The result depends only on the two arguments, not on ranks,
/// threads or timings, because the choice changes results by rounding. A spin adds a second component to both sides
/// equally. Small problems are not resampled, because the set-up costs more than it saves.
bool pays(Index lmax, Index target_pairs);

/// Positions of the rings to which Delta_m is resampled.
enum class TargetRings { kEquidistant, kAny };

/// FMA for resampling one m of one component to this number of ring pairs, as counted by pays(). Equidistant rings need
/// only the FFTs.
double resampling_fma(Index lmax, Index target_pairs, TargetRings target);

}  // namespace armilla::resample
