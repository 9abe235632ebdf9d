#pragma once

#include <armilla/core/types.hpp>

namespace armilla::normal {

using core::Index;

/// Rows of a matrix that are taken together, and numbers of a row of a panel: re, im of kPanelColumns columns.
inline constexpr Index kTileRows = 6;
inline constexpr Index kPanelColumns = 16;
inline constexpr Index kPanelNumbers = 2 * kPanelColumns;

constexpr Index whole_tiles(Index rows) { return (rows + kTileRows - 1) / kTileRows * kTileRows; }

/// A real matrix: rows a multiple of kTileRows, any strides.
struct Matrix {
  const double* numbers;
  Index row_stride, column_stride;
  Index rows, columns;
};

/// What re and im of a product are multiplied by before they are added: (1, -1) adds its conjugate.
struct Factors {
  double re, im;
};

/// Where the rows of a product go, on cache lines, rows kPanelNumbers apart: to[row] = onto[row] + factors of it, where
/// `onto` may be `to`; or to[row] = of_row[row] times factors of it, where of_row is given.
struct Target {
  double* to;
  const double* onto;
  Factors factors = {1, 1};
  const double* of_row = nullptr;
};

/// The sum over columns of a[row][column] from[column], rows of `from` kPanelNumbers apart and on cache lines. Each
/// number is summed up in the order of the columns, whatever stands beside it.
void multiply(const Matrix& a, const double* from, const Target& target);
/// The same with rows of `from` that stand anywhere, from[column].
void multiply_scattered(const Matrix& a, const double* const* from, const Target& target);
/// The sum of the products of `count` matrices of as many rows with `from` of each, one after the other, for one tile
/// of rows.
struct Link {
  const double* numbers;
  Index row_stride, column_stride, columns;
  const double* from;
};
void multiply_chain(const Link* links, Index count, const Target& target);

/// A step of the recurrence from row to row of a normal matrix (self_matrix.hpp):
///   next[i] = scale (up[i] now_up[i] + down[i] now_down[i] + (shift - shifts[i]) now[i]) - back before[i]
/// for i < count and some more, where all arrays have room; without the middle term where `shifts` is null.
struct RowStep {
  Index count;
  double scale, back, shift;
  const double *up, *down, *shifts;
  const double *now_up, *now_down, *now, *before;
  double* next;
};
void next_row(const RowStep& step);

}  // namespace armilla::normal
