#pragma once

#include <armilla/nufft/cell_grid.hpp>

#include <cstdint>

namespace armilla::nufft {

/// A point within its cell, packed into 16 bytes, because planning and transforms at points are limited by memory
/// traffic. The arguments z in [-1, 1) of its window polynomials (KernelTable) are stored as q = (z + 1) / kZStep, 43
/// bits each. This rounds positions to 1.1e-13 samples and changes transforms by up to 7e-14. For fine_length of 2048
/// or more, the rounding of coordinates in double precision is larger.
struct PlacedPoint {
  static constexpr double kZStep = 0x1p-42;
  static constexpr int kZBits = 43;
  static constexpr int kPlaceShift = 11;  ///< shift of row and column in `theta_word`
  static constexpr int kColumnBits = 4;
  static constexpr int kThetaShift = 21;  ///< shift of q of theta

  std::uint64_t theta_word;  ///< q of theta (43 bits), row (6) and column (4) in the cell, last 11 bits of q of phi
  std::uint64_t phi_word;    ///< leading 32 bits of q of phi, index of the point (32)

  double z_theta() const { return static_cast<double>(theta_word >> kThetaShift) * kZStep - 1; }
  double z_phi() const {
    return static_cast<double>((phi_word >> 32) << kPlaceShift | (theta_word & ((1U << kPlaceShift) - 1))) * kZStep - 1;
  }
  /// The index of the point in the caller's order.
  std::uint32_t number() const { return static_cast<std::uint32_t>(phi_word); }
  /// Row of the cell at which its window begins.
  Index row() const { return static_cast<Index>(theta_word >> (kPlaceShift + kColumnBits)) & (kCellRows - 1); }
  Index column() const { return static_cast<Index>(theta_word >> kPlaceShift) & (kCellColumns - 1); }
  /// Offset in the buffer of the cell at which its window begins.
  Index offset() const { return row() * kCellPitch + column(); }
};
static_assert(sizeof(PlacedPoint) == 16);
static_assert(kCellColumns == 1 << PlacedPoint::kColumnBits && kCellRows == 64 && kCellPitch == 2 * kCellColumns);

}  // namespace armilla::nufft
