#pragma once

#include <cmath>

#include <kernels/legendre/scalar_stage.hpp>

namespace armilla::kernels {

/// Quantities of step k of m as in legendre::ScalarTables, each computed independently, without recurrences from step
/// to step.

/// Factors between coefficients of degrees and of steps: alpha_k, alpha_k eps_{l+1}, alpha_k eps_{l+2}.
struct StepFactor {
  double alpha, low, high;
};

// Signs and scales of the products of alpha repeat every four steps.
HOST_DEVICE inline double alpha_sign(const DegreeNumbers& degrees, Index m, Index k) {
  const double scale = degrees.alpha_scale[2 * m + k % 2];
  return k % 4 < 2 ? scale : -scale;
}

HOST_DEVICE inline StepFactor step_factor(const DegreeNumbers& degrees, Index m, Index k) {
  const double sign = alpha_sign(degrees, m, k);
  return {degrees.alpha.times(sign, m, k), degrees.low.times(sign, m, k), degrees.high.times(sign, m, k)};
}

/// Rows {a, b} of the recurrence of two terms, for -sin^2 and for cos^2. eps_{l+1}^2 + eps_{l+2}^2 = square q and one
/// minus that = rest q, q = 1 / ((2 l + 1) (2 l + 5)); square and rest are integers.
struct TwoTermRows {
  Two polar, square;
};

HOST_DEVICE inline TwoTermRows two_term_rows(const DegreeNumbers& degrees, Index m, Index k) {
  const StepProduct& row = degrees.row;
  const double scale = degrees.row_scale[2 * m + k % 2];
  const double common = row.distance[k] * row.distance[m + k] * (k % 2 == 0 ? scale : -scale);
  const double a = common * row.degree_of(m, k);
  const double b = common * degrees.row_b[m % 2][m / 2 + k];
  const auto order = static_cast<double>(m);
  const auto n = static_cast<double>(2 * k);
  const double l = n + order;
  const double square = std::fma(n, std::fma(2.0, n, 4 * order + 6), 6 * order + 3);
  const double rest = std::fma(2 * l, l + 3, std::fma(2 * order, order, 2.0));
  return {{a, b * rest}, {a, -(b * square)}};
}

/// Row {a, b} of the equator form, and the ratio of its alpha to that of the two-term form, by which values are
/// multiplied.
struct EquatorRow {
  Two row;
  double factor;
};

HOST_DEVICE inline EquatorRow equator_row(const DegreeNumbers& degrees, Index m, Index k, double alpha) {
  const double scale = 1 / degrees.equator.distance[m];
  const double own = degrees.equator.times(k % 2 == 0 ? scale : -scale, m, k);
  const double a = own * own;
  const auto order = static_cast<double>(m);
  const auto n = static_cast<double>(2 * k);
  const double l = n + order;
  const double above = std::fma(2.0, l, 3.0) * std::fma(2.0, l, 5.0);
  const double below = (n + 3) * (l + order + 3);
  return {{a, -(above / (a * below))}, own / alpha};
}

/// A value as value * 2^(800 scale), scale <= 0; values with scale 0 contribute to sums.
struct ScaledValue {
  double value;
  int scale;
};

/// y_0 of a pair. Below 2^-80 a value is stored with the next lower scale, and kernels skip it.
HOST_DEVICE inline ScaledValue start_value(const PairNumbers& pairs, Index m, Index pair) {
  constexpr Index kLow = 32;
  const Index high = m / kLow * pairs.count + pair;
  const double value = pairs.start_norm[m] * pairs.power_low[m % kLow * pairs.count + pair] * pairs.power_high[high];
  const int scale = static_cast<int>(pairs.power_scale[high]);
  if (scale == 0 && std::fabs(value) < 0x1p-80) return {value * 0x1p800, -1};
  return {value, scale};
}

}  // namespace armilla::kernels
