#include <armilla/math/dense_solver.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla::math {

namespace {

double sum_of_magnitudes(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum;
}

}  // namespace

DenseSolver::DenseSolver(std::vector<double> matrix, Index size)
    : size_(size), lu_(std::move(matrix)), pivots_(static_cast<std::size_t>(size)) {
  std::vector<double> columns(static_cast<std::size_t>(size), 0.0);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j) columns[static_cast<std::size_t>(j)] += std::abs(at(i, j));
  const double norm = size > 0 ? *std::ranges::max_element(columns) : 0.0;
  factor();
  for (Index i = 0; i < size; ++i)
    if (!(std::abs(at(i, i)) > 0)) return;  // singular, or not a number
  const double estimate = 1 / (norm * estimate_inverse_norm());
  reciprocal_condition_ = std::isfinite(estimate) ? estimate : 0.0;
}

void DenseSolver::factor() {
  for (Index k = 0; k < size_; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < size_; ++i)
      if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
    pivots_[static_cast<std::size_t>(k)] = pivot;
    if (pivot != k)
      for (Index j = 0; j < size_; ++j) std::swap(at(k, j), at(pivot, j));
    if (!(std::abs(at(k, k)) > 0)) continue;
#pragma omp parallel for schedule(static)
    for (Index i = k + 1; i < size_; ++i) {
      const double factor = at(i, k) / at(k, k);
      at(i, k) = factor;
      for (Index j = k + 1; j < size_; ++j) at(i, j) -= factor * at(k, j);
    }
  }
}

void DenseSolver::solve(std::span<double> values) const {
  const auto v = [&](Index i) -> double& { return values[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < size_; ++i) std::swap(v(i), v(pivots_[static_cast<std::size_t>(i)]));
  for (Index i = 0; i < size_; ++i)
    for (Index j = 0; j < i; ++j) v(i) -= at(i, j) * v(j);
  for (Index i = size_; i-- > 0;) {
    for (Index j = i + 1; j < size_; ++j) v(i) -= at(i, j) * v(j);
    v(i) /= at(i, i);
  }
}

void DenseSolver::solve_transposed(std::span<double> values) const {
  const auto v = [&](Index i) -> double& { return values[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < size_; ++i) {
    for (Index j = 0; j < i; ++j) v(i) -= at(j, i) * v(j);
    v(i) /= at(i, i);
  }
  for (Index i = size_; i-- > 0;)
    for (Index j = i + 1; j < size_; ++j) v(i) -= at(j, i) * v(j);
  for (Index i = size_; i-- > 0;) std::swap(v(i), v(pivots_[static_cast<std::size_t>(i)]));
}

double DenseSolver::estimate_inverse_norm() const {
  const auto n = static_cast<std::size_t>(size_);
  std::vector<double> x(n, 1.0 / static_cast<double>(size_));
  double estimate = 0;
  std::size_t last = n;
  for (int iteration = 0; iteration < 5; ++iteration) {
    solve(x);
    estimate = std::max(estimate, sum_of_magnitudes(x));
    for (double& value : x) value = value < 0 ? -1.0 : 1.0;
    solve_transposed(x);
    const auto largest = std::ranges::max_element(x, {}, [](double value) { return std::abs(value); });
    const auto next = static_cast<std::size_t>(largest - x.begin());
    if (next == last) break;
    last = next;
    std::ranges::fill(x, 0.0);
    x[next] = 1;
  }
  return estimate;
}

}  // namespace armilla::math
