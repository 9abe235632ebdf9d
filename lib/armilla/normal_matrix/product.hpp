#pragma once

#include <armilla/core/types.hpp>

namespace armilla::normal_matrix {

using core::Index;

/// Rows of a matrix that are processed together.
inline constexpr Index kTileRows = 6;

constexpr Index whole_tiles(Index rows) { return (rows + kTileRows - 1) / kTileRows * kTileRows; }

/// Columns of complex numbers, stored in `count` panels of `columns` each, a power of two from kMinColumns to
/// kMaxColumns.
struct Panels {
  Index count;
  Index columns;
  /// Real numbers in a row of one panel, and in a row of all panels.
  Index numbers() const { return 2 * columns; }
  Index all_numbers() const { return count * numbers(); }
};
inline constexpr Index kMinColumns = 4;
inline constexpr Index kMaxColumns = 16;

/// A real matrix; the number of rows is a multiple of kTileRows, strides are arbitrary.
struct Matrix {
  const double* numbers;
  Index row_stride, column_stride;
  Index rows, columns;
};

/// Factors of the real and imaginary part of a product before it is added: (1, -1) adds its conjugate.
struct Factors {
  double re, im;
};

/// Destination of the rows of a product: contiguous rows, aligned to cache lines, with `numbers` (of a Panels) values
/// each. to[row] = onto[row] + factors times the row, where `onto` may be `to`; or, if of_row is set, to[row] =
/// of_row[row] times factors times the row.
struct Target {
  Index numbers;
  double* to;
  const double* onto;
  Factors factors = {1, 1};
  const double* of_row = nullptr;
  /// Whether sums can start from `onto`, which saves a pass.
  bool is_plain() const { return of_row == nullptr && factors.re == 1 && factors.im == 1; }
};

/// The sum over columns of a[row][column] from[column]; the rows of `from` are contiguous and aligned to cache lines.
/// Each value is summed in the order of the columns, independently of its neighbours.
void multiply(const Matrix& a, const double* from, const Target& target);
/// The same with rows of `from` at any addresses, from[column].
void multiply_scattered(const Matrix& a, const double* const* from, const Target& target);
/// The sum of the products of `count` matrices, with equal numbers of rows, and the `from` of each, in order, for one
/// tile of rows.
struct Link {
  const double* numbers;
  Index row_stride, column_stride, columns;
  const double* from;
};
void multiply_chain(const Link* links, Index count, const Target& target);

/// Computes a row of a normal matrix from the two preceding ones by their recurrence (self_matrix.hpp):
///   next[i] = scale (up[i] now[i + a] + down[i] now[i - b] + (shift - shifts[i]) now[i]) - back before[i],
/// a, b = 0 or 1, for i < count and slightly beyond, so all arrays must be padded. The middle term is omitted if
/// `shifts` is null. Sets next[-1] = 0, because it is read with down[0] = 0.
struct RowStep {
  Index count;
  Index ahead, behind;  ///< a, b
  double scale, back, shift;
  const double *up, *down, *shifts;
  const double *now, *before;
  double* next;
};
void next_rows(const RowStep* steps, Index count);

/// Copies bytes between non-overlapping addresses that are multiples of 8 bytes; `streamed`: whole cache lines are
/// written with non-temporal stores.
void copy(const void* from, Index bytes, bool streamed, void* to);

}  // namespace armilla::normal_matrix
