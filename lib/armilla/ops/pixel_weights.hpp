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

/// The highest degree up to which pixel weights of HEALPix are sought: 3 nside, less where that has more conditions
/// than there are pixels to meet them (nside 2).
Index pixel_weights_limit(Index nside);

/// The degree that weights have where none is given: the limit, so that maps up to lmax 1.5 nside come back.
Index pixel_weights_degree(Index nside);

/// The file of the cache that keeps weights of nside to degree; empty if there is no cache folder.
std::filesystem::path pixel_weights_file(Index nside, Index degree);

/// Full pixel weights of HEALPix, (4 pi / npix) (1 + x_p): of all that make the sum over pixels exact for every
/// harmonic up to a degree, those with the least sum of squares of x. Each rank has those of its own rings, one number
/// for each orbit of the grid's symmetry. Method, cost and file are in docs/decisions/0012-healpix-weights.md.
class PixelWeights {
 public:
  /// Collective. Takes the weights from the cache, or finds them and puts them there: a file that is damaged is found
  /// again and replaced, and a cache that cannot be written is a warning. Throws InputError if the grid is not
  /// HEALPix or the degree outside 0 .. pixel_weights_limit().
  PixelWeights(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels, Index degree);

  /// Local. to = (1 + x) from, for all components, in that memory; bitwise identical in any. Both may be one.
  template <class T>
  void multiply(const transform::MapField<T>& from, transform::MapField<T>& to,
                const std::shared_ptr<backend::Memory>& memory) const;

  /// On `rank`; the constructor works with the workspace where it has to find the weights.
  static core::MemoryEstimate memory(const dist::PixelDistribution& pixels, Index degree, int rank);

 private:
  std::shared_ptr<const dist::PixelDistribution> pixels_;
  grid::HealpixOrbits orbits_;
  backend::DualBuffer<double> corrections_{0};  // x of the orbits of own rings
};

}  // namespace armilla::ops
