#pragma once

#include <span>
#include <vector>

namespace armilla::ops {

/// Estimates eigenvalues of the preconditioned operator from the steps of a solver, through the associated Lanczos
/// matrix (Golub & Van Loan, section 11.3).
class RitzValues {
 public:
  RitzValues() = default;
  /// Restores a state from numbers().
  explicit RitzValues(std::span<const double> numbers);
  /// The complete state, for a restart.
  std::vector<double> numbers() const;

  /// Adds an iteration of conjugate gradients: `alpha` is the step length along the direction, `beta` the coefficient
  /// of the previous direction (0 for the first iteration).
  void add_step(double alpha, double beta);
  /// Adds an iteration of any Lanczos process: the diagonal entry, and the entry that couples it to the previous
  /// iteration (0 for the first).
  void add_row(double diagonal, double beside);
  /// The smallest eigenvalue of the matrix. It converges to that of the operator from above; infinite before the first
  /// iteration.
  double least() const;
  /// The largest eigenvalue. It converges to that of the operator from below; 0 before the first iteration.
  double greatest() const;

 private:
  double last_alpha_ = 0;
  std::vector<double> diagonal_;
  std::vector<double> beside_;  // [i]: entry between i and i + 1
};

}  // namespace armilla::ops
