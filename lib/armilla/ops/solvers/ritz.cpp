#include <armilla/core/error.hpp>
#include <armilla/ops/solvers/ritz.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace armilla::ops {

void RitzValues::add(double alpha, double beta) {
  if (diagonal_.empty()) {
    diagonal_.push_back(1 / alpha);
  } else {
    beside_.push_back(std::sqrt(beta) / last_alpha_);
    diagonal_.push_back(1 / alpha + beta / last_alpha_);
  }
  last_alpha_ = alpha;
}

double RitzValues::least() const {
  if (diagonal_.empty()) return std::numeric_limits<double>::infinity();
  using Numbers = Eigen::Map<const Eigen::VectorXd>;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(Numbers(diagonal_.data(), std::ssize(diagonal_)),
                                Numbers(beside_.data(), std::ssize(beside_)), Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success)
    throw core::InternalError(
        fmt::format("the eigenvalues of a Lanczos matrix of {} iterations were not found", diagonal_.size()));
  // The matrix is positive definite: rounding must not make its least eigenvalue zero or negative.
  const Eigen::VectorXd& values = solver.eigenvalues();
  return std::max(values[0], std::numeric_limits<double>::epsilon() * values[values.size() - 1]);
}

void RitzValues::clear() {
  diagonal_.clear();
  beside_.clear();
}

}  // namespace armilla::ops
