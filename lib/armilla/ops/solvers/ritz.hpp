#pragma once

#include <span>
#include <vector>

namespace armilla::ops {

/// What the steps of a solver say of the eigenvalues of the preconditioned operator: the Lanczos matrix that belongs to
/// them (Golub & Van Loan, section 11.3).
class RitzValues {
 public:
  RitzValues() = default;
  /// From numbers().
  explicit RitzValues(std::span<const double> numbers);
  /// All that it has seen, to go on from.
  std::vector<double> numbers() const;

  /// One iteration of conjugate gradients: the step along the direction, and the share of the last direction in it (0
  /// for the first).
  void add_step(double alpha, double beta);
  /// One iteration of any Lanczos process: its number on the diagonal, and the one that couples it to the iteration
  /// before (0 for the first).
  void add_row(double diagonal, double beside);
  /// The least eigenvalue of the matrix, which tends to that of the operator from above; infinite before the first
  /// iteration.
  double least() const;
  /// The greatest one, which tends to that of the operator from below; 0 before the first iteration.
  double greatest() const;

 private:
  double last_alpha_ = 0;
  std::vector<double> diagonal_;
  std::vector<double> beside_;  // [i]: between i and i + 1
};

}  // namespace armilla::ops
