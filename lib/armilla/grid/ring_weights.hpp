#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::grid {

using core::Index;

/// Ring weights of HEALPix less one, of the 2 nside rings from the pole to the equator: with them the sum over rings is
/// exact for all zonal harmonics up to `degree`, and of all weights that do this they have the least sum of squares of
/// the corrections of ring-pair totals. HEALPix's own files hold these numbers, for degree 100 at nside 32, 226 at 64,
/// 1700 at 512. Found by conjugate gradients, 30 to some 100 iterations of 4 nside degree operations. Throws InputError
/// for nside outside 1 .. 2^29, and a degree below 0 or so high that there are more conditions than rings, degree > 4
/// nside - 2.
std::vector<double> healpix_ring_weights(Index nside, Index degree);

}  // namespace armilla::grid
