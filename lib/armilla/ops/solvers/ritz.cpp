#include <armilla/ops/solvers/ritz.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace armilla::ops {

namespace {

// Number of eigenvalues below x: the number of negative pivots of the matrix minus x (Sturm sequence).
std::size_t count_below(std::span<const double> diagonal, std::span<const double> beside, double x) {
  std::size_t count = 0;
  double pivot = 1;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double coupling = i == 0 ? 0 : beside[i - 1] * beside[i - 1] / pivot;
    pivot = diagonal[i] - x - coupling;
    if (pivot < 0) ++count;
    if (pivot == 0) pivot = std::numeric_limits<double>::min();
  }
  return count;
}

// Bisects low .. high to a relative width of 1e-3. is_below(x): whether the value sought is below x.
template <class Below>
double bisect(double low, double high, Below&& is_below) {
  for (int step = 0; step < 60 && high - low > 1e-3 * high; ++step) {
    const double middle = 0.5 * (low + high);
    (is_below(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

RitzValues::RitzValues(std::span<const double> numbers) {
  if (numbers.empty()) return;
  const std::size_t rows = numbers.size() / 2;
  last_alpha_ = numbers[0];
  diagonal_.assign(numbers.begin() + 1, numbers.begin() + 1 + static_cast<std::ptrdiff_t>(rows));
  beside_.assign(numbers.begin() + 1 + static_cast<std::ptrdiff_t>(rows), numbers.end());
}

std::vector<double> RitzValues::numbers() const {
  std::vector<double> numbers{last_alpha_};
  numbers.insert(numbers.end(), diagonal_.begin(), diagonal_.end());
  numbers.insert(numbers.end(), beside_.begin(), beside_.end());
  return numbers;
}

void RitzValues::add_step(double alpha, double beta) {
  if (diagonal_.empty())
    add_row(1 / alpha, 0);
  else
    add_row(1 / alpha + beta / last_alpha_, std::sqrt(beta) / last_alpha_);
  last_alpha_ = alpha;
}

void RitzValues::add_row(double diagonal, double beside) {
  if (!diagonal_.empty()) beside_.push_back(beside);
  diagonal_.push_back(diagonal);
}

double RitzValues::least() const {
  if (diagonal_.empty()) return std::numeric_limits<double>::infinity();
  return bisect(0, *std::ranges::min_element(diagonal_),
                [&](double x) { return count_below(diagonal_, beside_, x) > 0; });
}

double RitzValues::greatest() const {
  double low = 0, high = 0;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {  // Gershgorin bound
    low = std::max(low, diagonal_[i]);
    const double before = i == 0 ? 0 : beside_[i - 1], after = i == beside_.size() ? 0 : beside_[i];
    high = std::max(high, diagonal_[i] + std::abs(before) + std::abs(after));
  }
  return bisect(low, high, [&](double x) { return count_below(diagonal_, beside_, x) == diagonal_.size(); });
}

}  // namespace armilla::ops
