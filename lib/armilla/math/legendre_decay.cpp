#include <armilla/math/legendre_decay.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace armilla::math {

using core::Index;

double legendre_decay(Index lmax, Index m, double cos_theta, double sin_theta) {
  const double degree = static_cast<double>(lmax) + 0.5;
  const auto order = static_cast<double>(m);
  if (order <= degree * sin_theta) return 0;
  if (sin_theta == 0) return std::numeric_limits<double>::infinity();
  const double width = std::sqrt((degree - order) * (degree + order));
  const auto arcosh = [](double x) { return std::acosh(std::max(x, 1.0)); };
  const double decay =
      order * arcosh(order * cos_theta / (sin_theta * width)) - degree * arcosh(degree * cos_theta / width);
  return std::max(decay, 0.0);
}

Index decayed_order(Index lmax, double exponent, double cos_theta, double sin_theta) {
  Index low = 0;
  Index high = lmax + 1;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (legendre_decay(lmax, middle, cos_theta, sin_theta) < exponent)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace armilla::math
