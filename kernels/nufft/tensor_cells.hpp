#pragma once

#include <armilla/core/error.hpp>

#include <string>
#include <utility>

#include <kernels/core/warp.hpp>
#include <kernels/nufft/window_weights.hpp>

namespace armilla::kernels {

// Sums at points on FP64 tensor cores. A cell is divided into sub-cells, whose windows are within a tile of 16 x 16
// samples. The weights of a point become a column and a row of 16 weights, of which those outside its window are zero.

/// The widest window for tensor cores: sub-cells of wider windows would have very few points.
inline constexpr int kTensorMaxWidth = 13;
/// Rows and columns of the samples of a sub-cell.
inline constexpr int kTensorTile = 16;
/// Rows and columns of a sub-cell, in which the windows of its points begin.
HOST_DEVICE constexpr int tensor_sub_cell(int width) { return width <= 9 ? 8 : 4; }
/// Number of the sub-cell of a window that begins at this row and column of a cell. Points of a chunk must be sorted by
/// it.
HOST_DEVICE constexpr int tensor_sub_cell_number(int width, int row, int column) {
  const int size = tensor_sub_cell(width);
  return row / size * (kNufftCellColumns / size) + column / size;
}

/// The sub-cells of a cell. A warp has those of 16 rows, kPhases of them, with consecutive numbers. Tiles of different
/// warps in the same phase have no common samples.
template <int W>
struct TensorCells {
  static constexpr int kSize = tensor_sub_cell(W);
  static constexpr int kAcross = kNufftCellColumns / kSize;
  static constexpr int kPhases = kTensorTile / kSize * kAcross;
  static constexpr int kWarps = kNufftCellRows / kTensorTile;
  static constexpr int kCount = kWarps * kPhases;
  /// Samples of all tiles, at least those of the patch.
  static constexpr int kRows = kNufftCellRows - kSize + kTensorTile;
  static constexpr int kColumns = kNufftCellColumns - kSize + kTensorTile;
  static_assert(kSize + W - 1 <= kTensorTile && kAcross == kTensorTile / kSize);

  HOST_DEVICE static constexpr int first_row(int number) { return number / kAcross * kSize; }
  HOST_DEVICE static constexpr int first_column(int number) { return number % kAcross * kSize; }

  /// Finds the first point of each sub-cell, and the end, of the sorted points of a chunk.
  HOST_DEVICE static void find_begins(const NufftPoint<double>* points, int count, int* begins, int thread) {
    const auto number = [&](int i) {
      return i < 0 ? -1 : i == count ? kCount : tensor_sub_cell_number(W, points[i].row, points[i].column);
    };
    for (int i = thread; i <= count; i += kWarps * kWarp)
      for (int k = number(i - 1) + 1, end = number(i); k <= end; ++k) begins[k] = i;
  }
};

/// Weights of some points of one sub-cell, in the shared memory of a warp.
template <int W>
struct TensorWeights {
  using Cells = TensorCells<W>;
  /// One direction of one point per lane.
  static constexpr int kPoints = kWarp / 2;
  /// Rows of zeros before, between and after the weights of windows along theta and phi, so that the slots of a tile
  /// before and after a window have weight zero. Only the weights themselves are overwritten.
  static constexpr int kBefore = Cells::kSize - 1, kAfter = kTensorTile - W;
  static constexpr int kBetween = kBefore > kAfter ? kBefore : kAfter;
  static constexpr int kPhi = kBefore + W + kBetween;  ///< row of the first weight along phi
  static constexpr int kRows = kPhi + W + kAfter;
  /// Half a warp accesses four points at four slots each, relative to the starts of different windows: these are in
  /// different banks.
  static constexpr int kPitch = 20;

  double rows[kRows][kPitch];
  int start[2][kPoints];  ///< of the window in the sub-cell

  /// Weights of the tile's first slot along theta (0) or phi (1) for a point at a position: followed by those of other
  /// slots, kPitch apart.
  HOST_DEVICE const double* of(int direction, int point, int position) const {
    return &rows[direction == 0 ? kBefore : kPhi][position] - start[direction][point] * kPitch;
  }

  template <class Warp>
  HOST_DEVICE void clear(Warp& warp) {
    warp.each([&](auto&, int own) {
      for (int i = own; i < (kRows - 2 * W) * kPitch; i += kWarp) {
        const int zeros = i / kPitch;
        const int row = zeros < kBefore ? zeros : zeros < kBefore + kBetween ? zeros + W : zeros + 2 * W;
        rows[row][i % kPitch] = 0;
      }
    });
    warp.sync();
  }

  /// Computes the weights of points begin .. end - 1, at most kPoints. Places after the last point duplicate it. Those
  /// for theta are at position(place). Those for phi are multiplied by factor(point, whether it is a duplicate). Calls
  /// keep(point, place) once per place. A sync() of the warp must precede.
  template <class Warp, class Position, class Factor, class Keep>
  HOST_DEVICE void make(Warp& warp, const NufftWindow<double>& window, const NufftPoint<double>* points, int begin,
                        int end, const Position& position, const Factor& factor, const Keep& keep) {
    warp.each([&](auto&, int own) {
      const int direction = own / kPoints, place = own % kPoints;
      const bool is_last = begin + place >= end;
      const NufftPoint<double>& point = points[is_last ? end - 1 : begin + place];
      const double z = direction == 0 ? point.z_theta : point.z_phi;
      const double scale = direction == 0 ? 1 : factor(point, is_last);
      double* to = direction == 0 ? &rows[kBefore][position(place)] : &rows[kPhi][place];
      unrolled<kWeightPairs<W>>([&]<int j>() {
        const WeightPair<double> weights = window_weights<W>(window, j, z);
        to[(W - 1 - j) * kPitch] = weights.last * scale;
        to[j * kPitch] = weights.first * scale;
      });
      start[direction][place] = (direction == 0 ? point.row : point.column) % Cells::kSize;
      if (direction == 0) keep(point, place);
    });
    warp.sync();
  }
};

/// Calls launch.operator()<Body<width>>(). Throws InternalError for a window that is too wide.
template <template <int> class Body, class Launch>
void for_tensor_width(int width, const Launch& launch) {
  [&]<int... offset>(std::integer_sequence<int, offset...>) {
    const bool found =
        ((width == kNufftMinWidth + offset && (launch.template operator()<Body<kNufftMinWidth + offset>>(), true)) ||
         ...);
    if (!found)
      throw core::InternalError("windows of width " + std::to_string(width) + " are too wide for tensor cores");
  }
  (std::make_integer_sequence<int, kTensorMaxWidth - kNufftMinWidth + 1>());
}

}  // namespace armilla::kernels
