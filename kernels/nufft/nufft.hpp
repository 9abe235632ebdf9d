#pragma once

#include <armilla/core/types.hpp>

#include <cstdint>

#include <kernels/core/device_pointer.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

// The planar part of transforms at points: sums over windows of a fine grid (nufft::interpolate, nufft::spread), for
// some fields at once. T is float or double.

/// Rows and columns of a cell (nufft::CellGrid), in which the windows of its points begin.
inline constexpr int kNufftCellRows = 64;
inline constexpr int kNufftCellColumns = 16;
/// Widths of windows.
inline constexpr int kNufftMinWidth = 3;
inline constexpr int kNufftMaxWidth = 16;
/// Half of the coefficients of a polynomial (nufft::polynomial_terms).
constexpr int nufft_terms(int width) { return (width + 3) / 2; }
/// Rows and columns spanned by the windows of a cell: its patch of samples.
constexpr int nufft_patch_rows(int width) { return kNufftCellRows + width - 1; }
constexpr int nufft_patch_columns(int width) { return kNufftCellColumns + width - 1; }
constexpr Index nufft_patch_size(int width) { return Index{nufft_patch_rows(width)} * nufft_patch_columns(width); }

/// The kernel (nufft::KernelTable), passed by value, so that its coefficients are operands of instructions.
template <class T>
struct NufftWindow {
  static constexpr int kCoefficients = (kNufftMaxWidth + 1) / 2 * 2 * nufft_terms(kNufftMaxWidth);
  int width;
  T coefficients[kCoefficients];  ///< [j < (width + 1) / 2][term, descending power of z^2][even part, odd part]
};

/// A point in its cell.
template <class T>
struct NufftPoint {
  T z_theta, z_phi;          ///< arguments of the polynomials of its windows
  std::uint32_t number;      ///< index of its values
  std::uint8_t row, column;  ///< position in the cell where its window begins
};

/// Points of one cell that are processed together.
struct NufftChunk {
  Index begin;  ///< of the points
  int count;
  int row;                   ///< first row of the cell, in the task; may be absent
  int rows_begin, rows_end;  ///< existing rows of the patch, counted from its first one
  int column;                ///< first column of the cell
};

template <template <class> class Pointer, class T>
struct NufftChunksOf {
  Pointer<const NufftPoint<T>> points;
  Pointer<const NufftChunk> chunks;
  Index count;  ///< of chunks
};

/// Rows of `columns` samples of some fields: those in the fields themselves, and additional ones stored separately.
/// Number is T or const T.
template <template <class> class Pointer, class Number>
struct NufftRowsOf {
  Pointer<const Index> place;  ///< [row] index of its first sample in a field, or -1 - index in a field of `beside`
  Index columns;
  Index stride, beside_stride;  ///< from field to field
  Pointer<Number> fields, beside;

  HOST_DEVICE Number* row(Index row, Index field) const {
    const Index first = place[row];
    return first >= 0 ? static_cast<Number*>(fields) + field * stride + first
                      : static_cast<Number*>(beside) + field * beside_stride - 1 - first;
  }
};

/// values[field][point number] = the sum over its window of samples times weights; overwrites the values of all points
/// of the chunks.
template <template <class> class Pointer, class T>
struct NufftInterpolationOf {
  NufftWindow<T> window;
  NufftChunksOf<Pointer, T> chunks;
  NufftRowsOf<Pointer, const T> rows;
  Index fields;
  Index value_stride;
  Pointer<T> values;
};
template <class T>
using DeviceNufftInterpolation = NufftInterpolationOf<DevicePointer, T>;
template <class T>
void interpolate_points(const DeviceNufftInterpolation<T>& task, StreamHandle stream);

/// The transpose. Sums over the points of each chunk, in order, are written to `sums` [chunk][field][patch]; if it is
/// null, they are added to the rows, and the windows of cells in one launch must not overlap.
template <template <class> class Pointer, class T>
struct NufftSpreadingOf {
  NufftWindow<T> window;
  NufftChunksOf<Pointer, T> chunks;
  NufftRowsOf<Pointer, T> rows;
  Index fields;
  Index value_stride;
  Pointer<const T> values;
  Pointer<T> sums;
};
template <class T>
using DeviceNufftSpreading = NufftSpreadingOf<DevicePointer, T>;
template <class T>
void spread_points(const DeviceNufftSpreading<T>& task, StreamHandle stream);

/// A cell, and the sums of its chunks.
struct NufftSums {
  Index first, end;  ///< of the chunks
  NufftChunk cell;   ///< any of them, for the position of the patch
};

/// Adds sums [chunk][field][patch] to the rows, chunk by chunk. The windows of cells in one launch must not overlap.
template <template <class> class Pointer, class T>
struct NufftAdditionOf {
  int width;
  Pointer<const NufftSums> cells;
  Index count;  ///< of cells
  NufftRowsOf<Pointer, T> rows;
  Index fields;
  Pointer<const T> sums;
};
template <class T>
using DeviceNufftAddition = NufftAdditionOf<DevicePointer, T>;
template <class T>
void add_sums(const DeviceNufftAddition<T>& task, StreamHandle stream);

/// A row beyond a pole, and the row that it mirrors: shifted by half a turn, and negated in fields of odd spin.
struct NufftMirror {
  Index past, row;  ///< indices of the rows
};

template <template <class> class Pointer, class T>
struct NufftMirrorsOf {
  Pointer<const NufftMirror> mirrors;
  Index count;
  Pointer<const int> odd;  ///< [field] whether its spin is odd
  Index fields;
  NufftRowsOf<Pointer, T> rows;
};
template <class T>
using DeviceNufftMirrors = NufftMirrorsOf<DevicePointer, T>;
/// Fills rows beyond the poles.
template <class T>
void fill_mirrors(const DeviceNufftMirrors<T>& task, StreamHandle stream);
/// The transpose of fill_mirrors(): adds rows beyond the poles to the rows that they mirror.
template <class T>
void fold_mirrors(const DeviceNufftMirrors<T>& task, StreamHandle stream);

}  // namespace armilla::kernels
