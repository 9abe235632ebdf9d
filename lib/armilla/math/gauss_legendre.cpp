#include <armilla/math/gauss_legendre.hpp>

#include <cmath>

namespace armilla::math {

namespace {

struct PolynomialAt {
  long double value;       // P_n(cos theta)
  long double derivative;  // its derivative with respect to theta
};

// Bonnet's recurrence for differences P_{l+1} - P_l, which keeps full accuracy as cos(theta) approaches 1.
PolynomialAt legendre_polynomial(core::Index n, long double theta) {
  const long double half = std::sin(theta / 2);
  const long double one_minus_x = 2 * half * half;
  long double value = 1;       // P_0
  long double difference = 0;  // P_0 - P_{-1}, and P_{-1} = 1
  long double previous = 1;
  for (core::Index l = 0; l < n; ++l) {
    const auto k = static_cast<long double>(l);
    difference = (k * difference - (2 * k + 1) * one_minus_x * value) / (k + 1);
    previous = value;
    value += difference;
  }
  const long double x = std::cos(theta);
  return {value, static_cast<long double>(n) * (x * value - previous) / std::sin(theta)};
}

}  // namespace

GaussNode gauss_legendre_node(core::Index n, core::Index i) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  if (2 * i + 1 == n) {  // the equator, known exactly
    const PolynomialAt p = legendre_polynomial(n, pi / 2);
    return {core::kPi / 2, 0.0, 1.0, static_cast<double>(2 / (p.derivative * p.derivative))};
  }
  // Tricomi's initial guess, accurate to O(n^-4) away from the poles; Newton's method converges quadratically from it.
  const auto nn = static_cast<long double>(n);
  const long double phi = (4 * static_cast<long double>(i) + 3) * pi / (4 * nn + 2);
  long double theta = phi + 1 / (8 * nn * nn * std::tan(phi));
  for (int iteration = 0; iteration < 8; ++iteration) {
    const PolynomialAt p = legendre_polynomial(n, theta);
    const long double step = p.value / p.derivative;
    theta -= step;
    if (std::abs(step) < 1e-17L * theta) break;
  }
  // w = 2 (1 - x^2) / (n P_{n-1})^2 = 2 / (dP/dtheta)^2 at a root.
  const PolynomialAt p = legendre_polynomial(n, theta);
  return {static_cast<double>(theta), static_cast<double>(std::cos(theta)), static_cast<double>(std::sin(theta)),
          static_cast<double>(2 / (p.derivative * p.derivative))};
}

}  // namespace armilla::math
