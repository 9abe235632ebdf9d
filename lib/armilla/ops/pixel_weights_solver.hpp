#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/grid/healpix_symmetry.hpp>

#include <vector>

namespace armilla::ops {

using core::Index;

/// Pixel weights as they were found.
struct FoundWeights {
  std::vector<double> corrections;  ///< x of this rank's orbits, which follow each other
  std::vector<Index> begin;         ///< [rank] number of its first orbit, and the number of all behind the last
  Index iterations = 0;
  double error = 0;  ///< the largest sum over pixels that should vanish, of a normalised harmonic
};

/// Collective. The x of least sum of squares with sum over p of (4 pi / npix) (1 + x_p) Y_lm(p) = sqrt(4 pi) delta_l0
/// for l <= degree, by conjugate gradients on the least squares of these conditions (CGLS, Bjorck 1996), whose residual
/// falls from step to step, with synthesis and its adjoint on a quarter of the sphere. Bitwise identical on any number
/// of ranks and threads. Ends at 500 iterations where the conditions are not met to rounding before.
FoundWeights find_pixel_weights(const comm::Communicator& comm, const grid::HealpixOrbits& orbits, Index degree);

/// Of find_pixel_weights() on `rank` of `ranks`.
core::MemoryEstimate find_pixel_weights_memory(Index nside, Index degree, int rank, int ranks);

}  // namespace armilla::ops
