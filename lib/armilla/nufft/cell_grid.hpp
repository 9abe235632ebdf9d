#pragma once

#include <armilla/core/types.hpp>

#include <algorithm>

namespace armilla::nufft {

using core::Index;

/// Row i of the fine grid is at theta = 2 pi (i + kRowShift) / fine_length. No row lies on a pole. Rows -1 - i and
/// fine_length - 1 - i are the mirror image of row i.
inline constexpr double kRowShift = 0.5;

/// Rows of the fine grid held by a rank: first_row .. first_row + rows - 1. Rows 0 .. fine_length / 2 - 1 cover the
/// sphere; rows outside that range belong to the extension beyond the poles. The samples of a field are given by
/// pointers to rows: pointer r points to the `fine_length` contiguous samples of row first_row + r. Rows may be
/// anywhere in memory, without alignment.
struct Band {
  Index first_row = 0;
  Index rows = 0;

  Index end_row() const { return first_row + rows; }
};

/// Rows and columns of a cell. A point belongs to the cell that contains the first sample of its window. Strips of
/// cells are numbered from row 0 of the fine grid, so that the cell of a point does not depend on the band. The windows
/// of a cell span at most kCellPitch columns: 19 KB in double precision. At lmax 2047, cells of 32 rows take 5% more
/// time, and cells of 16 rows 15% more.
inline constexpr Index kCellRows = 64;
inline constexpr Index kCellColumns = 16;
inline constexpr Index kCellPitch = 32;

/// Cells of a band: strips of kCellRows rows, each divided into cells of kCellColumns columns; the last cell may be
/// narrower. Strip i begins at row i * kCellRows.
struct CellGrid {
  Index fine_length = 0;
  int width = 0;
  Index first_strip = 0;
  Index strips = 0;
  Index columns = 0;  ///< cells per strip

  /// Creates strips for every row of the band.
  CellGrid(Index length, int kernel_width, const Band& band)
      : fine_length(length),
        width(kernel_width),
        first_strip(strip_of(band.first_row)),
        strips(strip_of(band.end_row() - 1) - first_strip + 1),
        columns((length + kCellColumns - 1) / kCellColumns) {}

  /// The strip that contains a row, counted from row 0; rows may be negative.
  static Index strip_of(Index row) { return (row >= 0 ? row : row - kCellRows + 1) / kCellRows; }

  Index cells() const { return strips * columns; }
  /// First row and first column of the window starts of a cell.
  Index first_row(Index cell) const { return (first_strip + cell / columns) * kCellRows; }
  Index first_column(Index cell) const { return cell % columns * kCellColumns; }
  /// Rows and columns covered by the windows of a cell.
  Index window_rows() const { return kCellRows + width - 1; }
  Index window_columns(Index cell) const {
    return std::min(kCellColumns, fine_length - first_column(cell)) + width - 1;
  }
  /// Number of samples in the buffer of a cell.
  Index buffer_size() const { return window_rows() * kCellPitch; }
};

}  // namespace armilla::nufft
