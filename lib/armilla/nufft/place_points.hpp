#pragma once

#include <armilla/nufft/placed_point.hpp>

#include <cstdint>

namespace armilla::nufft {

/// Points placed per block, and points per cache line.
inline constexpr Index kPlaceBlock = 512;
inline constexpr Index kPointsPerLine = 4;

/// Parameters for placing points in a cell grid. Samples per radian, fine_length / (2 pi), are the sum of a 24-bit
/// number and a remainder. Products of the 24-bit number with the leading 26 bits of an angle are exact. Before it is
/// rounded for a PlacedPoint, a position therefore has an absolute error below 2e-15 samples for angles up to
/// kLargestAngle, on every instruction set. A window begins at the first sample at or above angle * (high + low) -
/// shift.
struct Placement {
  double high, low;
  double fine_length;
  double theta_shift, phi_shift;     ///< half the width, and in theta kRowShift; multiples of 1/2, hence exact
  std::int32_t first_grid_row;       ///< of the first cell
  std::int32_t columns;              ///< cells per strip
  std::int32_t first_row, last_row;  ///< range of the first rows of windows within the band

  Placement(const CellGrid& grid, const Band& band);
};

/// Larger angles must be reduced first.
inline constexpr double kLargestAngle = 1e6;

/// Points and their cells. Consecutive points in the same cell, such as those of a ring, form a run: run r ends before
/// point run_end[r].
struct PlacedBlock {
  alignas(64) PlacedPoint padded[kPlaceBlock + 2 * kPointsPerLine];
  alignas(64) std::int32_t cell[kPlaceBlock + 16];  ///< entries after those of the points are unspecified
  alignas(64) std::int32_t run_end[kPlaceBlock + 16];
  Index runs;

  /// Whole lines that begin up to kPointsPerLine points before or after these can be read.
  PlacedPoint* points() { return padded + kPointsPerLine; }
  const PlacedPoint* points() const { return padded + kPointsPerLine; }
};

/// Finds the cells of `count` <= kPlaceBlock points and their runs. Vectorised with run-time dispatch, bitwise
/// identical on every instruction set. Returns false, with an unspecified block, if a theta is outside [0, pi], a phi
/// is not finite or exceeds kLargestAngle, or a window is not within the band.
bool find_cells(const Placement& placement, const double* theta, const double* phi, Index count, PlacedBlock& block);

/// Like find_cells(), and also places the points of the block, numbered from `number`.
bool place_points(const Placement& placement, const double* theta, const double* phi, Index count, std::uint32_t number,
                  PlacedBlock& block);

}  // namespace armilla::nufft
