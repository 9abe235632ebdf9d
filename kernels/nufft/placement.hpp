#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include <kernels/nufft/nufft.hpp>

namespace armilla::kernels {

// Placing points in the cells of a fine grid (nufft::place_points), bitwise identical to the host: no operation is
// contracted.

/// Parameters of the cells (nufft::Placement), with cells of kNufftCellRows by kNufftCellColumns samples.
struct NufftPlacement {
  double high, low;  ///< samples per radian, a number of 24 bits and the remainder
  double fine_length;
  double theta_shift, phi_shift;
  int first_grid_row;       ///< of the first cell
  int columns;              ///< cells per strip
  int first_row, last_row;  ///< range of the first rows of windows
  Index cells;
};

/// Where the window of a point begins: the cell, which is `cells` for a point out of range, and the row and column in
/// it; and the arguments of the polynomials of its windows.
struct NufftPlace {
  std::uint32_t cell;
  int row, column;
  double z_theta, z_phi;
};

/// First sample of a window in one direction, and the argument of its polynomials.
struct NufftStart {
  double first, z;
};

/// As nufft::place(), with the rounding of nufft::PlacedPoint. `first` of a periodic angle is in -width .. fine_length.
template <bool kPeriodic>
HOST_DEVICE inline NufftStart nufft_start(const NufftPlacement& p, double angle) {
  std::uint64_t bits;
  std::memcpy(&bits, &angle, sizeof(bits));
  bits &= ~((std::uint64_t{1} << 27) - 1);
  double start;
  std::memcpy(&start, &bits, sizeof(start));
  const double rest = angle - start;
  const double product = start * p.high;
  const double low = start * p.low + rest * (p.high + p.low);
  const double whole = std::floor(product);
  const double from_whole = ((product - whole) - (kPeriodic ? p.phi_shift : p.theta_shift)) + low;
  const double steps = std::ceil(from_whole);
  double first = whole + steps;
  if constexpr (kPeriodic) first -= std::floor(product * (1 / p.fine_length)) * p.fine_length;
  // z = 2 (steps - from_whole) - 1 in steps of 2^-42: q is rounded to an integer by adding 2^52.
  constexpr double kMost = 0x1p43, kBits = 0x1p52;
  const double scaled = (steps - from_whole) * kMost;
  const double q = ((scaled < kMost - 1 ? scaled : kMost - 1) + kBits) - kBits;
  return {first, q * 0x1p-42 - 1};
}

/// The place of a point. A point is out of range if theta is outside [0, pi], phi is not finite or larger than 1e6 in
/// magnitude, or the window is not within the rows.
HOST_DEVICE inline NufftPlace nufft_place(const NufftPlacement& p, double theta, double phi) {
  const NufftPlace outside{static_cast<std::uint32_t>(p.cells), 0, 0, 0, 0};
  if (!(theta >= 0 && theta <= core::kPi && std::abs(phi) <= 1e6)) return outside;
  const NufftStart in_theta = nufft_start<false>(p, theta);
  NufftStart in_phi = nufft_start<true>(p, phi);
  if (in_phi.first < 0) in_phi.first += p.fine_length;
  const int row = static_cast<int>(in_theta.first), column = static_cast<int>(in_phi.first);
  if (row < p.first_row || row > p.last_row) return outside;
  const int grid_row = row - p.first_grid_row;
  return {static_cast<std::uint32_t>(grid_row / kNufftCellRows * p.columns + column / kNufftCellColumns),
          grid_row % kNufftCellRows, column % kNufftCellColumns, in_theta.z, in_phi.z};
}

/// cells[i] = the cell of point i.
template <template <class> class Pointer>
struct NufftCellsOf {
  NufftPlacement placement;
  Pointer<const double> theta, phi;
  Index count;  ///< of points
  Pointer<std::uint32_t> cells;
};
using DeviceNufftCells = NufftCellsOf<DevicePointer>;
void find_cells(const DeviceNufftCells& task, StreamHandle stream);

/// points[i] = point numbers[i], placed.
template <template <class> class Pointer, class T>
struct NufftPlacingOf {
  NufftPlacement placement;
  Pointer<const double> theta, phi;
  Pointer<const std::uint32_t> numbers;
  Index count;
  Pointer<NufftPoint<T>> points;
};
template <class T>
using DeviceNufftPlacing = NufftPlacingOf<DevicePointer, T>;
template <class T>
void place_points(const DeviceNufftPlacing<T>& task, StreamHandle stream);

}  // namespace armilla::kernels
