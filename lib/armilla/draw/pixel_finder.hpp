#pragma once

#include <armilla/draw/projection.hpp>
#include <armilla/grid/ring_grid.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::draw {

/// Finds the pixel that a direction belongs to: on HEALPix the one whose area it lies in (Gorski et al. 2005), on other
/// ring grids, which define no areas, the one whose centre is nearest among the two rings above and below it. On a part
/// of the sky these are pixels and rings of the whole grid, some of which it lacks; rings of a file leave places empty
/// that are farther from them than their neighbours.
class PixelFinder {
 public:
  /// Keeps a reference to the rings of `grid`, which must outlive the finder.
  explicit PixelFinder(const grid::RingGrid& grid);
  /// -1 where no pixel is.
  grid::Index operator()(const Direction& direction) const;

 private:
  grid::Index nearest_pixel(const Direction& direction) const;
  grid::Index healpix_pixel(const Direction& direction) const;

  /// Pixel j of a ring, by its number in the whole grid; -1 where the part lacks that ring.
  grid::Index pixel(grid::Index ring, grid::Index j) const;

  grid::Index nside_;  ///< 0 where the grid is not HEALPix
  std::span<const grid::Ring> own_;
  std::vector<grid::Index> numbers_;             ///< of the own rings in the whole grid; empty where it is whole
  std::shared_ptr<const grid::RingGrid> whole_;  ///< of a part that is not HEALPix
  std::span<const grid::Ring> rings_;            ///< of the whole grid
  std::vector<double> descending_z_;             ///< cos(theta) of these, side by side for the search
  std::vector<double> reach_;                    ///< rings of a file: how far in theta each stands for what is there
};

}  // namespace armilla::draw
