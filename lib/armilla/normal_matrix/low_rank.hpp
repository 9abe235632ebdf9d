#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/normal_matrix/product.hpp>

#include <optional>
#include <span>
#include <vector>

namespace armilla::normal_matrix {

/// A symmetric matrix as U S U^T, S of signs: far fewer products than the matrix itself, where its singular values fall
/// off fast.
class LowRank {
 public:
  /// The most columns of U that pay, by far: a half would.
  static Index max_rank(Index size);
  /// The factors of matrix[i * size + j], with room for rows up to a whole tile behind it, until rows of what is left
  /// have a norm of about `tolerance` at most; nothing where that takes more than max_rank(size) columns, or is not to
  /// be expected of so many. Pivots of one or two rows, those that are the largest of their columns ("rook pivoting",
  /// Bunch and Kaufman 1977, Ashcraft, Grimes and Lewis 1998), found where products of what is left with a few given
  /// vectors are largest: at the cost of size * rank^2 and a few passes over the matrix.
  static std::optional<LowRank> of(std::span<const double> matrix, Index size, double tolerance);

  Index rank() const { return rank_; }
  /// to = onto + matrix from, for rows of `numbers` (of a Panels) one behind the other, padded to whole tiles, on cache
  /// lines; `work` has room for whole_tiles(rank()) rows.
  void multiply(const double* from, const double* onto, Index numbers, double* work, double* to) const;

 private:
  LowRank(Index size, std::span<const double> columns, std::span<const double> signs);

  Index size_, rank_;
  std::vector<double> signs_;            // [column], zeros up to a whole tile
  core::AlignedBuffer<double> columns_;  // [column][row] of U, both up to whole tiles
};

}  // namespace armilla::normal_matrix
