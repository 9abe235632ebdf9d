#include <armilla/core/types.hpp>
#include <armilla/math/wigner.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace armilla::math {

Extended<long double> wigner_start_norm(Index spin, Index m) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  const Index l = lowest_degree(spin, m);
  const Index k = std::min(m, std::abs(spin));
  // (2 l + 1) times the binomial coefficient (2 l over l + k), as a product of its factors.
  Extended<long double> square{static_cast<long double>(2 * l + 1) / (4 * pi), 0};
  for (Index j = 1; j <= l - k; ++j) {
    square.mantissa *= static_cast<long double>(l + k + j) / static_cast<long double>(j);
    if (j % 32 == 0) square = square.normalised();  // 32 factors stay within the range of any type
  }
  return square_root(square.normalised());
}

Extended<long double> wigner_start(Index spin, Index m, Extended<long double> norm,
                                   const HalfAngle<long double>& half) {
  Extended<long double> start = norm * (power(half.cosine, std::abs(m - spin)) * power(half.sine, std::abs(m + spin)));
  const Index sign_exponent = (spin < 0 && -spin > m) ? spin : m;
  if (sign_exponent % 2 != 0) start.mantissa = -start.mantissa;
  return start;
}

double spin_harmonic(Index spin, Index l, Index m, double theta) {
  constexpr double pi_low = 1.2246467991473532e-16;  // pi - kPi
  const bool south = theta > core::kPi / 2;
  const double folded = south ? (core::kPi - theta) + pi_low : theta;
  // On the mirror ring: slambda_lm(pi - theta) = (-1)^(l + m) (-s)lambda_lm(theta).
  const Index s = south ? -spin : spin;
  const Index lowest = lowest_degree(s, m);
  if (l < lowest) return 0;

  const auto half = HalfAngle<long double>::from(std::cos(folded), std::sin(folded));
  const Extended<long double> start = wigner_start(s, m, wigner_start_norm(s, m), half);
  long double previous = 0;
  long double value = start.mantissa;
  Index exponent = start.exponent;
  for (Index k = lowest; k < l; ++k) {
    const WignerStep<long double> step = wigner_step<long double>(s, m, k);
    const long double next = (step.head_plus - step.slope * half.one_minus_cos) * value - step.back * previous;
    previous = value;
    value = next;
    if (std::abs(value) > 0x1p100L) {
      value *= 0x1p-100L;
      previous *= 0x1p-100L;
      exponent += 100;
    }
  }
  const double magnitude = static_cast<double>(Extended<long double>{value, exponent}.value());
  return south && (l + m) % 2 != 0 ? -magnitude : magnitude;
}

}  // namespace armilla::math
