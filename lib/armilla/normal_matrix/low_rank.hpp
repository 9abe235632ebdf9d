#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/normal_matrix/product.hpp>

#include <optional>
#include <span>
#include <vector>

namespace armilla::normal_matrix {

/// A symmetric matrix as U S U^T, where S is a diagonal matrix of signs. It needs far fewer products than the matrix
/// itself if the singular values decrease rapidly.
class LowRank {
 public:
  /// Maximum number of columns of U. This is a conservative limit; the break-even point is a half.
  static Index max_rank(Index size);
  /// The factors of matrix[i * size + j], which is followed by space for rows up to a whole tile. Stops when the rows
  /// of the remainder have norms of at most about `tolerance`. Returns std::nullopt if that needs more than
  /// max_rank(size) columns, or is not expected within that number. Pivots consist of one or two rows, chosen by rook
  /// pivoting (Bunch and Kaufman 1977, Ashcraft, Grimes and Lewis 1998). The search starts where products of the
  /// remainder with a few fixed vectors are largest. The cost is size * rank^2 and a few passes over the matrix.
  static std::optional<LowRank> of(std::span<const double> matrix, Index size, double tolerance);

  Index rank() const { return rank_; }
  /// to = onto + matrix from, for contiguous rows of `numbers` (of a Panels), padded to whole tiles and aligned to
  /// cache lines; `work` has space for whole_tiles(rank()) rows.
  void multiply(const double* from, const double* onto, Index numbers, double* work, double* to) const;

 private:
  LowRank(Index size, std::span<const double> columns, std::span<const double> signs);

  Index size_, rank_;
  std::vector<double> signs_;            // [column], zeros up to a whole tile
  core::AlignedBuffer<double> columns_;  // [column][row] of U, both up to whole tiles
};

}  // namespace armilla::normal_matrix
