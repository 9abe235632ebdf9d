#pragma once

#include <armilla/draw/projection.hpp>
#include <armilla/grid/ring_grid.hpp>

#include <span>
#include <vector>

namespace armilla::draw {

/// Finds the pixel that a direction belongs to: on HEALPix the one whose area it lies in (Gorski et al. 2005), on other
/// ring grids, which define no areas, the one whose centre is nearest among the two rings above and below it.
class PixelFinder {
 public:
  /// Keeps a reference to the rings of `grid`, which must outlive the finder.
  explicit PixelFinder(const grid::RingGrid& grid);
  grid::Index operator()(const Direction& direction) const;

 private:
  grid::Index nearest_pixel(const Direction& direction) const;
  grid::Index healpix_pixel(const Direction& direction) const;

  grid::Index nside_;  ///< 0 where the grid is not HEALPix
  std::span<const grid::Ring> rings_;
  std::vector<double> descending_z_;  ///< cos(theta) of the rings, side by side for the search
};

}  // namespace armilla::draw
