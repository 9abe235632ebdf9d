#include <armilla/core/set_up_count.hpp>
#include <armilla/math/polar_cut.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace armilla::math {

using core::Index;

double cube_root(double x) {
  core::count_set_up(core::SetUpWork::kCubeRoots);
  if (x <= 0) return 0;
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);
  // Makes the exponent a multiple of three, with a fraction in [1/8, 1).
  for (; exponent % 3 != 0; ++exponent) fraction /= 2;
  double root = 0.42 + 0.6 * fraction;  // within 15%
  for (int step = 0; step < 5; ++step) root -= (root - fraction / (root * root)) / 3;
  return std::ldexp(root, exponent / 3);
}

namespace {

constexpr double kDecay = 12;  // to 1e-16

// Decrease of the functions beyond the turning point, for any spin.
double slope_of(double spin, double cosine, double reach) { return std::min(1.0, cosine + spin / (1 + reach)); }

}  // namespace

// Beyond the turning point, functions decay like an Airy function, by exp(-a x^1.5). The unit of x in m is
// (reach slope^2)^(1/3), where the potential changes like slope^2 in theta.
double polar_margin(double reach, double slope) { return kDecay * cube_root((1 + reach) * slope * slope); }

Index polar_cut(Index lmax, Index spin, double cos_theta, double sin_theta, Index order_margin) {
  // A function of degree l oscillates where m^2 - 2 m s cos(theta) + s^2 < (l sin(theta))^2. This is solved for the
  // largest |m|, with l sin(theta) increased by the margin.
  const double reach = static_cast<double>(lmax) * sin_theta;
  const double s = static_cast<double>(std::abs(spin));
  const double margin = polar_margin(reach, slope_of(s, std::abs(cos_theta), reach));
  const double turning = reach + margin + static_cast<double>(order_margin);
  const double half_b = s * std::abs(cos_theta);
  const double discriminant = half_b * half_b - s * s + turning * turning;
  if (discriminant <= 0) return lmax;
  return std::min(lmax, static_cast<Index>(half_b + std::sqrt(discriminant)));
}

FirstDegrees::FirstDegrees(Index spin, double cos_theta, double sin_theta, Index order_margin)
    : spin_(static_cast<double>(std::abs(spin))),
      cosine_(std::abs(cos_theta)),
      sine_(sin_theta),
      order_margin_(static_cast<double>(order_margin)) {}

// polar_cut(l) >= m if l sin(theta) with its margin is at least the root of m^2 - 2 m s cos(theta) + s^2. All l do if
// it is below s sin(theta).
Index FirstDegrees::at(Index m, Index from, Index lmax) const {
  const double order = static_cast<double>(m), half_b = spin_ * cosine_;
  if (half_b >= order) return std::min(std::max(m, from), lmax);
  const double turning = std::sqrt(order * order - 2 * order * half_b + spin_ * spin_);
  const double always = std::sqrt(spin_ * spin_ - half_b * half_b);
  const auto contributes = [&](Index l) {
    const double reach = static_cast<double>(l) * sine_, slope = slope_of(spin_, cosine_, reach);
    const double cube = kDecay * kDecay * kDecay * (1 + reach) * slope * slope;  // of the margin
    const auto reaches = [&](double place) {
      const double margin = place - reach - order_margin_;
      return margin <= 0 || cube >= margin * margin * margin;
    };
    return reaches(turning) || !reaches(always);
  };
  Index l = std::max(m, from);
  while (l < lmax && !contributes(l)) ++l;
  return std::min(l, lmax);
}

}  // namespace armilla::math
