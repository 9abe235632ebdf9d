#include <armilla/normal_matrix/harmonic_column.hpp>

#include <cmath>

namespace armilla::normal_matrix {

HarmonicColumn::HarmonicColumn(Index spin, Index m, Index lmax)
    : spin_(spin), m_(m), first_(math::lowest_degree(spin, m)), norm_(math::wigner_start_norm(spin, m)) {
  for (Index l = first_; l <= lmax; ++l) steps_.push_back(math::rising_step(spin, m, l));
}

void HarmonicColumn::make(double cos_theta, double sin_theta, bool mirror, double* values) const {
  // At the mirror ring slambda is (-1)^(l + m) (-s)lambda.
  const auto half = math::HalfAngle<long double>::from(cos_theta, sin_theta);
  const math::Extended<long double> start = math::wigner_start(mirror ? -spin_ : spin_, m_, norm_, half);
  constexpr double kLarge = 0x1p400;
  constexpr double kSmaller = 0x1p-400;
  constexpr Index kStep = 400;
  constexpr Index kMin = -2000;
  auto value = static_cast<double>(start.mantissa);
  Index exponent = start.exponent;
  double rest = 0;
  const auto one_minus_cos = static_cast<double>(half.one_minus_cos);
  const double alternation = mirror ? -1 : 1;
  double scale = mirror && (first_ + m_) % 2 != 0 ? -1 : 1;
  const auto power = [&] { return exponent < kMin ? 0.0 : std::ldexp(1.0, static_cast<int>(exponent)); };
  double factor = power();
  for (const math::RisingStep& step : steps_) {
    *values++ = scale * (factor * value);
    rest = (mirror ? step.back_minus : step.back_plus) * rest - step.slope * one_minus_cos * value;
    value = (mirror ? step.rise_minus : step.rise_plus) * value + rest;
    scale *= alternation;
    if (std::abs(value) > kLarge) {
      value *= kSmaller;
      rest *= kSmaller;
      exponent += kStep;
      factor = power();
    }
  }
}

}  // namespace armilla::normal_matrix
