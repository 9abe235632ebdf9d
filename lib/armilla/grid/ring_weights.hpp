#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::grid {

using core::Index;

/// The highest degree up to which ring weights of HEALPix can be exact and still be near one: 3.6 nside, or 4 nside - 2
/// where that is less, for there are 2 nside pairs of rings. Beyond, the conditions soon depend on each other to all
/// digits (docs/decisions/0012-healpix-weights.md).
Index ring_weights_limit(Index nside);

/// The degree that weights have where none is given: 3 1/8 nside, so products of harmonics up to 1.5 nside are in it.
/// That of HEALPix's file of nside 32; its files of nside 64 and 512 have 226 and 1700.
Index ring_weights_degree(Index nside);

/// Ring weights of HEALPix less one, of the 2 nside rings from the pole to the equator: with them the sum over rings is
/// exact for all zonal harmonics up to `degree`, and of all weights that do this they have the least sum of squares of
/// the corrections of ring-pair totals. HEALPix's own files hold these numbers, for degree 100 at nside 32, 226 at 64,
/// 1700 at 512. Found by conjugate gradients, about 20 iterations of 4 nside degree operations, which OpenMP threads
/// share. Throws InputError for nside outside 1 .. 2^29 and degrees outside 0 .. ring_weights_limit().
std::vector<double> healpix_ring_weights(Index nside, Index degree);

}  // namespace armilla::grid
