#include <armilla/radial/interpolated_kernel.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

constexpr int kTerms = math::ChordTable::kTerms;
using CellPolynomial = std::array<double, kTerms>;

/// The polynomial that interpolates the values at the Chebyshev points cos(pi (i + 1/2) / kTerms), in ascending powers.
CellPolynomial polynomial_of(const CellPolynomial& values) {
  CellPolynomial powers{}, before{}, now{};  // Chebyshev polynomials of degree n - 1 and n
  before[1] = 1;                             // T_{-1} = T_1
  now[0] = 1;
  for (int n = 0; n < kTerms; ++n) {
    double factor = 0;
    for (int i = 0; i < kTerms; ++i) factor += values[at(i)] * std::cos(kPi * n * (i + 0.5) / kTerms);
    factor *= (n == 0 ? 1.0 : 2.0) / kTerms;
    CellPolynomial next{};
    for (int k = 0; k < kTerms; ++k) {
      powers[at(k)] += factor * now[at(k)];
      next[at(k)] = (k > 0 ? 2 * now[at(k - 1)] : 0) - before[at(k)];
    }
    before = now;
    now = next;
  }
  return powers;
}

}  // namespace

double chord_limit(double cutoff) {
  constexpr double kRounding = 1 + 2e-14;
  if (cutoff >= kPi) return 2;
  const double sine = std::sin(cutoff / 2);
  return sine * sine * kRounding;
}

InterpolatedKernel::InterpolatedKernel(const Kernel& kernel, double cutoff, double tolerance)
    : cutoff_(std::min({cutoff, kernel.end(), kPi})), end_(chord_limit(cutoff_)) {
  for (;; cells_ *= 2) {
    const Fit found = fit(kernel);
    error_ = found.largest > 0 ? found.error / found.largest : 0;
    if (error_ <= tolerance || cells_ >= kMostCells) return;
  }
}

InterpolatedKernel::Fit InterpolatedKernel::fit(const Kernel& kernel) {
  const auto count = static_cast<double>(cells_);
  cells_per_unit_ = end_ <= 0.5 ? count / std::sin(cutoff_ / 2) : count / std::sqrt(2.0);
  const auto chord_at = [&](double place) {  // position in units of cells
    const double near = place / cells_per_unit_, far = (count - place) / cells_per_unit_;
    return end_ <= 0.5 || 2 * place <= count ? near * near : 1 - far * far;
  };
  // Values beyond the cutoff within the last cells are never used. The kernel is continued there up to kernel.end().
  const auto value = [&](double place) {
    const double angle = end_ <= 0.5 || 2 * place <= count
                             ? 2 * std::asin(std::min(1.0, place / cells_per_unit_))
                             : kPi - 2 * std::asin(std::max(0.0, (count - place) / cells_per_unit_));
    return kernel.value(std::min(angle, kernel.end()));
  };
  coefficients_.resize(at(cells_ * kTerms));
  double error = 0, largest = 0;
#pragma omp parallel for schedule(static)
  for (Index cell = 0; cell < cells_; ++cell) {
    const auto first = static_cast<double>(cell);
    CellPolynomial values;
    for (int i = 0; i < kTerms; ++i) values[at(i)] = value(first + (std::cos(kPi * (i + 0.5) / kTerms) + 1) / 2);
    std::ranges::copy(polynomial_of(values), &coefficients_[at(cell * kTerms)]);
  }
  // Runs after all cells are complete, because, by rounding, a position at the start of a cell may be looked up in the
  // previous cell.
#pragma omp parallel for schedule(static) reduction(max : error, largest)
  for (Index cell = 0; cell < cells_; ++cell) {
    const auto first = static_cast<double>(cell);
    for (const double x : {0.0, 0.02, 0.27, 0.5, 0.73, 0.98}) {
      if (chord_at(first + x) > end_) continue;
      const double exact = value(first + x);
      largest = std::max(largest, std::abs(exact));
      error = std::max(error, std::abs(table()(chord_at(first + x)) - exact));
    }
  }
  return {error, largest};
}

}  // namespace armilla::radial
