#pragma once

#include <span>
#include <vector>

namespace armilla::ops {

/// What the steps of conjugate gradients say of the eigenvalues of the preconditioned operator: the Lanczos matrix that
/// belongs to them (Golub & Van Loan, section 11.3).
class RitzValues {
 public:
  /// One iteration: the step along the direction, and the share of the last direction in it (0 for the first).
  void add(double alpha, double beta);
  /// The least eigenvalue of the matrix, which tends to that of the operator from above; infinite before the first
  /// iteration.
  double least() const;
  /// Forgets all iterations.
  void clear();

 private:
  double last_alpha_ = 0;
  std::vector<double> diagonal_;
  std::vector<double> beside_;  // [i]: between i and i + 1
};

}  // namespace armilla::ops
