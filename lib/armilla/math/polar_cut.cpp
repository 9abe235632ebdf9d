#include <armilla/math/polar_cut.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace armilla::math {

using core::Index;

double cube_root(double x) {
  if (x <= 0) return 0;
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);
  // Makes the exponent a multiple of three, with a fraction in [1/8, 1).
  for (; exponent % 3 != 0; ++exponent) fraction /= 2;
  double root = 0.42 + 0.6 * fraction;  // within 15%
  for (int step = 0; step < 5; ++step) root -= (root - fraction / (root * root)) / 3;
  return std::ldexp(root, exponent / 3);
}

// Beyond the turning point, functions decay like an Airy function, by exp(-a x^1.5). The unit of x in m is
// (reach slope^2)^(1/3), where the potential changes like slope^2 in theta.
double polar_margin(double reach, double slope) {
  constexpr double kDecay = 12;  // to 1e-16
  return kDecay * cube_root((1 + reach) * slope * slope);
}

Index polar_cut(Index lmax, Index spin, double cos_theta, double sin_theta, Index order_margin) {
  // A function of degree l oscillates where m^2 - 2 m s cos(theta) + s^2 < (l sin(theta))^2. This is solved for the
  // largest |m|, with l sin(theta) increased by the margin.
  const double reach = static_cast<double>(lmax) * sin_theta;
  const double s = static_cast<double>(std::abs(spin));
  const double margin = polar_margin(reach, std::min(1.0, std::abs(cos_theta) + s / (1 + reach)));
  const double turning = reach + margin + static_cast<double>(order_margin);
  const double half_b = s * std::abs(cos_theta);
  const double discriminant = half_b * half_b - s * s + turning * turning;
  if (discriminant <= 0) return lmax;
  return std::min(lmax, static_cast<Index>(half_b + std::sqrt(discriminant)));
}

}  // namespace armilla::math
