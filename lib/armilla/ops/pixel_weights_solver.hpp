#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/grid/healpix_symmetry.hpp>

#include <vector>

namespace armilla::ops {

using core::Index;

/// Result of the computation of pixel weights.
struct FoundWeights {
  std::vector<double> corrections;  ///< x of this rank's orbits, which are consecutive
  std::vector<Index> begin;         ///< [rank] index of its first orbit; the last entry is the number of all orbits
  Index iterations = 0;
  double error = 0;  ///< largest absolute quadrature error over the normalised harmonics
};

/// Collective. Computes the x with the smallest sum of squares for which the sum over p of (4 pi / npix) (1 + x_p)
/// Y_lm(p) = sqrt(4 pi) delta_l0 for l <= degree. The method is conjugate gradients on the least squares of these
/// conditions (CGLS, Bjorck 1996), whose residual decreases monotonically. Synthesis and its adjoint use a quarter of
/// the sphere. Bitwise identical on any number of ranks and threads. Stops when the conditions are met to rounding, and
/// after at most 500 iterations.
FoundWeights find_pixel_weights(const comm::Communicator& comm, const grid::HealpixOrbits& orbits, Index degree);

/// Memory of find_pixel_weights() on `rank` of `ranks`.
core::MemoryEstimate find_pixel_weights_memory(Index nside, Index degree, int rank, int ranks);

}  // namespace armilla::ops
