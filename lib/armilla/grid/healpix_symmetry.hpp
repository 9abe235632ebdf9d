#pragma once

#include <armilla/grid/ring_grid.hpp>

#include <algorithm>
#include <vector>

namespace armilla::grid {

/// The pixels of HEALPix that its symmetry tells apart. Quarter turns, the mirror at the equator and phi -> -phi map
/// the grid onto itself; all pixels that they map onto each other are one orbit. Orbits are numbered ring by ring from
/// the pole to the equator, and along a ring from its first pixel on: some 3/4 nside^2 of them.
class HealpixOrbits {
 public:
  explicit HealpixOrbits(Index nside);

  Index nside() const { return nside_; }
  Index count() const { return begin_.back(); }
  /// First orbit of ring number `pair` + 1 from the pole, which with its mirror image is that pair of the grid;
  /// begin(2 nside) is count().
  Index begin(Index pair) const { return begin_[static_cast<std::size_t>(pair)]; }
  /// Pixels of a quarter of a ring of that pair.
  Index quarter(Index pair) const { return std::min(pair + 1, nside_); }
  /// Whether the first pixel of the ring lies half a pixel from phi = 0, else on it.
  bool is_shifted(Index pair) const { return pair + 1 < nside_ || (pair + 1 - nside_) % 2 == 0; }
  /// Place of the orbit of pixel j, 0 <= j < quarter(pair), within those of its ring.
  Index place(Index pair, Index j) const;

 private:
  Index nside_;
  std::vector<Index> begin_;
};

/// A quarter of HEALPix, stretched to a full turn: the same rings with a quarter of the pixels and four times phi0.
/// Fields that repeat every quarter turn are transformed on it with every fourth m (dist::AlmDistribution with m_step
/// 4).
RingGrid make_healpix_quarter(Index nside);

}  // namespace armilla::grid
