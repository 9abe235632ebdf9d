#pragma once

#include <armilla/grid/ring_grid.hpp>

#include <algorithm>
#include <vector>

namespace armilla::grid {

/// Orbits of the pixels of HEALPix under its symmetry. Quarter turns, reflection at the equator and phi -> -phi map the
/// grid onto itself; pixels mapped onto each other form an orbit. Orbits are numbered ring by ring from the pole to the
/// equator, and along a ring starting at its first pixel. There are about 3/4 nside^2 of them.
class HealpixOrbits {
 public:
  explicit HealpixOrbits(Index nside);

  Index nside() const { return nside_; }
  Index count() const { return begin_.back(); }
  /// First orbit of ring number `pair` + 1 from the pole, which forms that pair of the grid with its mirror image;
  /// begin(2 nside) is count().
  Index begin(Index pair) const { return begin_[static_cast<std::size_t>(pair)]; }
  /// Number of pixels in a quarter of a ring of that pair.
  Index quarter(Index pair) const { return std::min(pair + 1, nside_); }
  /// Whether the first pixel of the ring is half a pixel from phi = 0 rather than at it.
  bool is_shifted(Index pair) const { return pair + 1 < nside_ || (pair + 1 - nside_) % 2 == 0; }
  /// Position of the orbit of pixel j, 0 <= j < quarter(pair), among those of its ring.
  Index place(Index pair, Index j) const;

 private:
  Index nside_;
  std::vector<Index> begin_;
};

/// A quarter of HEALPix, stretched to a full turn: the same rings with a quarter of the pixels and four times phi0.
/// Fields that repeat every quarter turn are transformed on it using every fourth m (dist::AlmDistribution with m_step
/// 4).
RingGrid make_healpix_quarter(Index nside);

}  // namespace armilla::grid
