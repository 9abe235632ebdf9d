#pragma once

#include <cmath>

#include <kernels/core/complex_number.hpp>

namespace armilla::kernels {

/// exp(-i pi t / n) for 0 <= t < 2 n. The angle is reduced to [0, pi / 4] in integers, so that there is only one
/// rounding of it.
HOST_DEVICE inline ComplexNumber<double> half_root(Index t, Index n) {
  const bool lower = t > n;
  if (lower) t = 2 * n - t;
  const bool left = 2 * t > n;
  if (left) t = n - t;
  const bool steep = 4 * t > n;
  const double angle = steep ? core::kPi * static_cast<double>(n - 2 * t) / static_cast<double>(2 * n)
                             : core::kPi * static_cast<double>(t) / static_cast<double>(n);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double x = steep ? s : c;
  const double y = steep ? c : s;
  return {left ? -x : x, lower ? y : -y};
}

/// The chirp exp(-i pi j^2 / part).
HOST_DEVICE inline ComplexNumber<double> chirp_value(Index j, Index part) {
  return half_root(j * j % (2 * part), part);
}

template <class T>
HOST_DEVICE inline ComplexNumber<T> rounded(ComplexNumber<double> z) {
  return {static_cast<T>(z.re), static_cast<T>(z.im)};
}

}  // namespace armilla::kernels
