#pragma once

#include <armilla/backend/dual_buffer.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/grid/healpix_symmetry.hpp>
#include <armilla/transform/field.hpp>

#include <filesystem>
#include <memory>
#include <vector>

namespace armilla::ops {

using core::Index;

/// The highest degree for which pixel weights of HEALPix are computed: 3 nside, or less if that gives more conditions
/// than pixels (nside 2).
Index pixel_weights_limit(Index nside);

/// The default degree of weights: the limit, so that maps up to lmax 1.5 nside are recovered.
Index pixel_weights_degree(Index nside);

/// The cache file of weights for this nside and degree; empty if there is no cache folder.
std::filesystem::path pixel_weights_file(Index nside, Index degree);

/// Full pixel weights of HEALPix, (4 pi / npix) (1 + x_p). Of all weights for which the sum over pixels is exact for
/// every harmonic up to a degree, these have the smallest sum of squares of x. Each rank has the weights of its own
/// rings, one value for each orbit of the grid's symmetry. Method, cost and file format are described in
/// docs/decisions/0012-healpix-weights.md.
class PixelWeights {
 public:
  /// Collective. Reads the weights from the cache, or computes and stores them. A damaged file is recomputed and
  /// replaced; a cache that is not writable causes a warning. Throws InputError if the grid is not HEALPix or the
  /// degree is outside 0 .. pixel_weights_limit().
  PixelWeights(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels, Index degree);

  /// Not collective. to = (1 + x) from, for all components, in `memory`; bitwise identical in host and device memory.
  /// Both may be the same map.
  template <class T>
  void multiply(const transform::MapField<T>& from, transform::MapField<T>& to,
                const std::shared_ptr<backend::Memory>& memory) const;

  /// Memory on `rank`; the constructor uses the workspace if it must compute the weights.
  static core::MemoryEstimate memory(const dist::PixelDistribution& pixels, Index degree, int rank);

 private:
  std::shared_ptr<const dist::PixelDistribution> pixels_;
  grid::HealpixOrbits orbits_;
  backend::DualBuffer<double> corrections_{0};  // x of the orbits of own rings
};

}  // namespace armilla::ops
