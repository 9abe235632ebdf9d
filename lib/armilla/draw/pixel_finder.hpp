#pragma once

#include <armilla/draw/projection.hpp>
#include <armilla/grid/ring_grid.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::draw {

/// Finds the pixel for a direction. On HEALPix it is the pixel whose area contains the direction (Gorski et al. 2005).
/// Other ring grids define no areas; there it is the pixel with the nearest centre on the two adjacent rings. On a part
/// of the sky, pixels and rings are those of the full grid, some of which are missing. Rings from a file do not cover
/// directions that are farther from them than their neighbours.
class PixelFinder {
 public:
  /// Keeps a reference to the rings of `grid`, which must outlive the finder.
  explicit PixelFinder(const grid::RingGrid& grid);
  /// Returns -1 if there is no pixel.
  grid::Index operator()(const Direction& direction) const;

 private:
  grid::Index nearest_pixel(const Direction& direction) const;
  grid::Index healpix_pixel(const Direction& direction) const;

  /// Index of pixel j of a ring of the full grid; -1 if the ring is missing.
  grid::Index pixel(grid::Index ring, grid::Index j) const;

  grid::Index nside_;  ///< 0 if the grid is not HEALPix
  std::span<const grid::Ring> own_;
  /// Indices of the own rings in the full grid; empty if the grid is full.
  std::vector<grid::Index> numbers_;
  std::shared_ptr<const grid::RingGrid> whole_;  ///< full grid of a part that is not HEALPix
  std::span<const grid::Ring> rings_;            ///< of the full grid
  std::vector<double> descending_z_;             ///< cos(theta) of these rings, contiguous for the search
  std::vector<double> reach_;                    ///< rings from a file: the range in theta that each one covers
};

}  // namespace armilla::draw
