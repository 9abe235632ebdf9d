#include <armilla/ops/solvers/ritz.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace armilla::ops {

namespace {

// Whether an eigenvalue lies below x: a pivot of the matrix less x is negative (Sturm).
bool any_below(std::span<const double> diagonal, std::span<const double> beside, double x) {
  double pivot = 1;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double coupling = i == 0 ? 0 : beside[i - 1] * beside[i - 1] / pivot;
    pivot = diagonal[i] - x - coupling;
    if (pivot < 0) return true;
    pivot = std::max(pivot, std::numeric_limits<double>::min());
  }
  return false;
}

}  // namespace

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
  double low = 0;
  double high = *std::ranges::min_element(diagonal_);
  for (int step = 0; step < 60 && high - low > 1e-3 * high; ++step) {
    const double middle = 0.5 * (low + high);
    (any_below(diagonal_, beside_, middle) ? high : low) = middle;
  }
  return high;
}

void RitzValues::clear() {
  diagonal_.clear();
  beside_.clear();
}

}  // namespace armilla::ops
