#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::grid {

using core::Index;

/// The highest degree up to which ring weights of HEALPix can be exact and remain close to one: 3.6 nside, or 4 nside -
/// 2 if that is smaller, because there are 2 nside pairs of rings. At higher degrees the conditions soon become
/// numerically dependent (docs/decisions/0012-healpix-weights.md).
Index ring_weights_limit(Index nside);

/// The default degree of weights: 3 1/8 nside, which covers products of harmonics up to 1.5 nside. HEALPix's file for
/// nside 32 has this degree; those for nside 64 and 512 have 226 and 1700.
Index ring_weights_degree(Index nside);

/// Ring weights of HEALPix minus one, for the 2 nside rings from the pole to the equator. With these weights the sum
/// over rings is exact for all zonal harmonics up to `degree`. Of all such weights, these have the smallest sum of
/// squares of the corrections of ring-pair totals. HEALPix's own files contain these numbers, for degree 100 at nside
/// 32, 226 at 64 and 1700 at 512. Computed by conjugate gradients, in about 20 iterations of 4 nside degree operations,
/// shared by OpenMP threads. Throws InputError for nside outside 1 .. 2^29 and degrees outside 0 ..
/// ring_weights_limit().
std::vector<double> healpix_ring_weights(Index nside, Index degree);

}  // namespace armilla::grid
