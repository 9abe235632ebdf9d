#pragma once

#include <armilla/core/types.hpp>

namespace armilla::normal_matrix {

using core::Index;

/// Rows of a matrix that are taken together.
inline constexpr Index kTileRows = 6;

constexpr Index whole_tiles(Index rows) { return (rows + kTileRows - 1) / kTileRows * kTileRows; }

/// Columns, complex numbers, stand in `count` panels of `columns` each: a power of two from kMinColumns to
/// kMaxColumns.
struct Panels {
  Index count;
  Index columns;
  /// Of a row of a panel, re and im; of a row of all.
  Index numbers() const { return 2 * columns; }
  Index all_numbers() const { return count * numbers(); }
};
inline constexpr Index kMinColumns = 4;
inline constexpr Index kMaxColumns = 16;

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

/// Where the rows of a product go, on cache lines, `numbers` (of a Panels) to each and one behind the other: to[row] =
/// onto[row] + factors of it, where `onto` may be `to`; or to[row] = of_row[row] times factors of it, where of_row is
/// given.
struct Target {
  Index numbers;
  double* to;
  const double* onto;
  Factors factors = {1, 1};
  const double* of_row = nullptr;
  /// Whether sums can begin with `onto`, which saves a pass.
  bool is_plain() const { return of_row == nullptr && factors.re == 1 && factors.im == 1; }
};

/// The sum over columns of a[row][column] from[column], rows of `from` one behind the other and on cache lines.
/// Each number is summed up in the order of the columns, whatever stands beside it.
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

/// Rows of a normal matrix, one from the two before by their recurrence (self_matrix.hpp):
///   next[i] = scale (up[i] now[i + a] + down[i] now[i - b] + (shift - shifts[i]) now[i]) - back before[i],
/// a, b = 0 or 1, for i < count and some more, where all arrays have room; without the middle term where `shifts` is
/// null. next[-1] becomes 0, as it is read where down[0] = 0.
struct RowStep {
  Index count;
  Index ahead, behind;  ///< a, b
  double scale, back, shift;
  const double *up, *down, *shifts;
  const double *now, *before;
  double* next;
};
void next_rows(const RowStep* steps, Index count);

/// Copies bytes between places on multiples of 8 bytes that do not overlap; `streamed`, whole cache lines go past the
/// caches.
void copy(const void* from, Index bytes, bool streamed, void* to);

}  // namespace armilla::normal_matrix
