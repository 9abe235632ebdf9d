#include <armilla/math/equidistant_weights.hpp>

#include <algorithm>
#include <cmath>
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

}  // namespace

std::vector<double> equidistant_weights(Index points, int shift, Index count) {
  const UnitCircle circle(points);
  std::vector<double> weights;
  const bool without_poles = shift == 2 || points == 2 * count;
  for (Index i = 0; i < count; ++i) {
    const Index number = 2 * i + shift;  // theta = number pi / points
    double sum = 0;
    if (shift != 1 && without_poles) {
      // sin(theta) times a sum of sin(k theta), k odd. Both factors vanish at the poles.
      for (Index k = 1; k < points / 2; k += 2) sum += circle.sin(k * number) / static_cast<double>(k);
      weights.push_back(8 / static_cast<double>(points) * circle.sin(number) * sum);
      continue;
    }
    // The integral of cos(k theta) sin(theta) is 2 / (1 - k^2) for even k, and 0 for odd k. For the highest k of an
    // even number of points, cosine and sine are the same function.
    for (Index k = 2; 2 * k <= points; k += 2) {
      const double integral = 2 / (1 - static_cast<double>(k) * static_cast<double>(k));
      sum += (2 * k == points ? 1.0 : 2.0) * integral * circle.cos(k * number);
    }
    const bool pole = number == 0 || number == points;
    weights.push_back((2 + sum) * (pole ? 1.0 : 2.0) / static_cast<double>(points));
  }
  return weights;
}

}  // namespace armilla::math
