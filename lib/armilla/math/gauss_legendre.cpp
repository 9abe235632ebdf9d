#include <armilla/math/gauss_legendre.hpp>

#include <cmath>
#include <numbers>

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

// Polynomials of more than kAsymptoticDegree have too many nodes for a cost of O(n) each. Away from the poles their
// asymptotic series converges to rounding within kStieltjesTerms terms.
constexpr core::Index kAsymptoticDegree = 8192;
constexpr core::Index kPolarNodes = 24;
constexpr int kStieltjesTerms = 40;

// Stieltjes' series (Szego, Orthogonal Polynomials, theorem 8.21.5):
//   P_n(cos theta) = C_n sum_k h_k cos((n + k + 1/2) theta - (k + 1/2) pi / 2) / (2 sin theta)^(k + 1/2),
//   C_n = 2 Gamma(n + 1) / (sqrt(pi) Gamma(n + 3/2)), h_k = product over j = 1 .. k of (j - 1/2)^2 / (j (n + j + 1/2)).
// The error is less than twice the first omitted term. At node i, terms decrease at first by k / (2 pi i).
PolynomialAt asymptotic_polynomial(core::Index n, long double theta) {
  const auto nn = static_cast<long double>(n);
  const long double sine = std::sin(theta), cosine = std::cos(theta);
  // Gamma(n + 1) / Gamma(n + 3/2) from Stirling's series in w = n + 3/4, in which odd powers of 1 / w cancel.
  const long double w = nn + 0.75L, w2 = w * w;
  const long double constant =
      2 / std::sqrt(std::numbers::pi_v<long double> * w * 2 * sine) * std::exp(-1 / (64 * w2) + 5 / (2048 * w2 * w2));
  const long double phase = (nn + 0.5L) * theta - std::numbers::pi_v<long double> / 4;
  long double re = std::cos(phase), im = std::sin(phase);  // of the angle of term k
  long double factor = 1;                                  // h_k / (2 sin theta)^k
  long double value = 0, derivative = 0;
  for (int k = 0; k < kStieltjesTerms && factor > 1e-21L; ++k) {
    const long double half = static_cast<long double>(k) + 0.5L;
    value += factor * re;
    derivative -= factor * ((nn + half) * im + half * cosine / sine * re);
    // The angle of the next term is larger by theta - pi / 2.
    const long double next = re * sine + im * cosine;
    im = im * sine - re * cosine;
    re = next;
    factor *= half * half / ((half + 0.5L) * (nn + half + 1) * 2 * sine);
  }
  return {constant * value, constant * derivative};
}

PolynomialAt polynomial_near(core::Index n, core::Index i, long double theta) {
  return n > kAsymptoticDegree && i >= kPolarNodes ? asymptotic_polynomial(n, theta) : legendre_polynomial(n, theta);
}

}  // namespace

GaussNode gauss_legendre_node(core::Index n, core::Index i) {
  constexpr long double pi = std::numbers::pi_v<long double>;
  if (2 * i + 1 == n) {  // the equator, known exactly
    const PolynomialAt p = legendre_polynomial(n, pi / 2);
    return {core::kPi / 2, 0.0, 1.0, static_cast<double>(2 / (p.derivative * p.derivative))};
  }
  // Tricomi's initial guess, accurate to O(n^-4) away from the poles; Newton's method converges quadratically from it.
  const auto nn = static_cast<long double>(n);
  const long double phi = (4 * static_cast<long double>(i) + 3) * pi / (4 * nn + 2);
  long double theta = phi + 1 / (8 * nn * nn * std::tan(phi));
  for (int iteration = 0; iteration < 8; ++iteration) {
    const PolynomialAt p = polynomial_near(n, i, theta);
    const long double step = p.value / p.derivative;
    theta -= step;
    if (std::abs(step) < 1e-17L * theta) break;
  }
  // w = 2 (1 - x^2) / (n P_{n-1})^2 = 2 / (dP/dtheta)^2 at a root.
  const PolynomialAt p = polynomial_near(n, i, theta);
  return {static_cast<double>(theta), static_cast<double>(std::cos(theta)), static_cast<double>(std::sin(theta)),
          static_cast<double>(2 / (p.derivative * p.derivative))};
}

}  // namespace armilla::math
