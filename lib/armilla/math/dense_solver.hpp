#pragma once

#include <armilla/core/types.hpp>

#include <span>
#include <vector>

namespace armilla::math {

using core::Index;

/// A dense square matrix factored for solving: LU with partial pivoting.
class DenseSolver {
 public:
  /// `matrix` is [row][column], of size^2 numbers.
  DenseSolver(std::vector<double> matrix, Index size);

  /// An estimate, seldom too large by more than a factor of 3, of 1 / (|A| |A^-1|) in the 1-norm (Hager 1984; Higham
  /// 1988); 0 where the matrix is singular.
  double reciprocal_condition() const { return reciprocal_condition_; }
  /// values = A^-1 values. The matrix must not be singular.
  void solve(std::span<double> values) const;

 private:
  void factor();
  void solve_transposed(std::span<double> values) const;
  double estimate_inverse_norm() const;
  double& at(Index row, Index column) { return lu_[static_cast<std::size_t>(row * size_ + column)]; }
  double at(Index row, Index column) const { return lu_[static_cast<std::size_t>(row * size_ + column)]; }

  Index size_;
  std::vector<double> lu_;
  std::vector<Index> pivots_;  ///< row that changed places with row i
  double reciprocal_condition_ = 0;
};

}  // namespace armilla::math
