#include <armilla/math/equidistant_weights.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>

namespace armilla::math {

namespace {

using core::Index;

// cos and sin of pi n / points for any n >= 0, each from an angle of at most 45 degrees.
class UnitCircle {
 public:
  explicit UnitCircle(Index points) : quarter_(points), cosine_(static_cast<std::size_t>(4 * points)) {
    for (Index n = 0; n < 4 * points; ++n) cosine_[static_cast<std::size_t>(n)] = cosine_of(n);
  }
  double cos(Index n) const { return at(2 * n); }
  double sin(Index n) const { return at(2 * n + 3 * quarter_); }

 private:
  double at(Index n) const { return cosine_[static_cast<std::size_t>(n % (4 * quarter_))]; }
  // cos(pi n / (2 quarter)), 0 <= n < 4 quarter.
  double cosine_of(Index n) const {
    n = std::min(n, 4 * quarter_ - n);
    const double sign = n > quarter_ ? -1.0 : 1.0;
    n = std::min(n, 2 * quarter_ - n);
    const auto angle = [&](Index m) { return core::kPi * static_cast<double>(m) / static_cast<double>(2 * quarter_); };
    return sign * (2 * n <= quarter_ ? std::cos(angle(n)) : std::sin(angle(quarter_ - n)));
  }

  Index quarter_;  // index of a quarter turn
  std::vector<double> cosine_;
};

// With more rings than this, sums of O(points) terms for each ring take too long. Away from the poles the infinite
// series is known, and the terms beyond the sum are found from their asymptotic series.
constexpr Index kAsymptoticRings = 8192;
constexpr Index kPolarRings = 32;
constexpr int kTailTerms = 20;

/// The sums over j >= 0 of exp(i (k + 2 j) theta) f_j, theta = number pi / points, where the differences of f are
/// Delta^p f_0 = first product over q = 1 .. p of -2 (q + skipped) / (k0 + 2 (q + skipped)). Summation by parts with
/// z = exp(2 i theta) gives sum z^j f_j = sum over p of Delta^p f_0 z^p / (1 - z)^(p + 1), z / (1 - z) = i exp(i theta)
/// / (2 sin(theta)). At ring i, terms decrease at first by p / (pi i).
std::complex<double> tail(const UnitCircle& circle, Index number, Index k, double first, Index k0, int skipped) {
  const double twice_sine = 2 * circle.sin(number);
  const std::complex<double> ratio(-circle.sin(number) / twice_sine, circle.cos(number) / twice_sine);
  const std::complex<double> begin(-circle.sin((k - 1) * number), circle.cos((k - 1) * number));
  std::complex<double> term = begin * (first / twice_sine), sum = 0;
  for (int p = 1; p <= kTailTerms; ++p) {
    sum += term;
    const double q = p + skipped;
    term *= ratio * (-2 * q / (static_cast<double>(k0) + 2 * q));
  }
  return sum;
}

/// The sum of sin(k theta) / k over odd k below points / 2.
double sine_sum(const UnitCircle& circle, Index points, Index number, bool is_polar) {
  const Index end = points / 2 + (points / 2 % 2 == 0 ? 1 : 0);  // the first odd k that is not in the sum
  // The infinite series is pi / 4.
  if (!is_polar) return core::kPi / 4 - tail(circle, number, end, 1 / static_cast<double>(end), end, 0).imag();
  double sum = 0;
  for (Index k = 1; k < points / 2; k += 2) sum += circle.sin(k * number) / static_cast<double>(k);
  return sum;
}

/// The sum of 4 / (1 - k^2) cos(k theta) over even k = 2 .. points / 2, where k = points / 2 counts half.
double cosine_sum(const UnitCircle& circle, Index points, Index number, bool is_polar) {
  if (!is_polar) {
    // The infinite series is pi sin(theta) - 2. f_j = 1 / (k^2 - 1), k = end + 2 j, is half the difference of 1 / (k -
    // 1) and 1 / (k + 1).
    const Index last = points / 4 * 2;
    const auto term = [](Index k) { return 1 / (static_cast<double>(k - 1) * static_cast<double>(k + 1)); };
    double sum = core::kPi * circle.sin(number) - 2;
    sum += 4 * tail(circle, number, last + 2, term(last + 2), last + 1, 1).real();
    if (2 * last == points) sum += 2 * term(last) * circle.cos(last * number);
    return sum;
  }
  double sum = 0;
  for (Index k = 2; 2 * k <= points; k += 2) {
    const double integral = 2 / (1 - static_cast<double>(k) * static_cast<double>(k));
    sum += (2 * k == points ? 1.0 : 2.0) * integral * circle.cos(k * number);
  }
  return sum;
}

}  // namespace

std::vector<double> equidistant_weights(Index points, int shift, Index count) {
  const UnitCircle circle(points);
  std::vector<double> weights;
  const bool without_poles = shift == 2 || points == 2 * count;
  for (Index i = 0; i < count; ++i) {
    const Index number = 2 * i + shift;  // theta = number pi / points
    const bool is_polar = count <= kAsymptoticRings || std::min(number, points - number) < 2 * kPolarRings;
    if (shift != 1 && without_poles) {
      // sin(theta) times a sum of sin(k theta), k odd. Both factors vanish at the poles.
      weights.push_back(8 / static_cast<double>(points) * circle.sin(number) *
                        sine_sum(circle, points, number, is_polar));
      continue;
    }
    // The integral of cos(k theta) sin(theta) is 2 / (1 - k^2) for even k, and 0 for odd k. For the highest k of an
    // even number of points, cosine and sine are the same function.
    const double sum = cosine_sum(circle, points, number, is_polar);
    const bool pole = number == 0 || number == points;
    weights.push_back((2 + sum) * (pole ? 1.0 : 2.0) / static_cast<double>(points));
  }
  return weights;
}

}  // namespace armilla::math
