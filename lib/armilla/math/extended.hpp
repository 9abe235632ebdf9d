#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <cmath>

namespace armilla::math {

/// A number mantissa * 2^exponent with a 64-bit exponent. Start values such as sin(theta)^m underflow any ordinary
/// format for m above some hundreds. Zero has mantissa 0.
template <class Real>
struct Extended {
  Real mantissa = 0;
  core::Index exponent = 0;

  /// The same number with its mantissa in [1/2, 1).
  HOST_DEVICE Extended normalised() const {
    int shift = 0;
    const Real m = std::frexp(mantissa, &shift);
    return {m, m == 0 ? core::Index{0} : exponent + shift};
  }
  /// The nearest number of type Real: zero below its range, infinity above.
  HOST_DEVICE Real value() const {
    constexpr core::Index limit = 100000;  // far outside the range of any type, and within that of int
    const core::Index e = exponent < -limit ? -limit : exponent > limit ? limit : exponent;
    return std::ldexp(mantissa, static_cast<int>(e));
  }
};

template <class Real>
HOST_DEVICE Extended<Real> operator*(Extended<Real> a, Extended<Real> b) {
  return Extended<Real>{a.mantissa * b.mantissa, a.exponent + b.exponent}.normalised();
}

/// base^n for n >= 0, by squaring; 0^0 = 1.
template <class Real>
HOST_DEVICE Extended<Real> power(Real base, core::Index n) {
  Extended<Real> result{1, 0};
  Extended<Real> square = Extended<Real>{base, 0}.normalised();
  for (; n > 0; n >>= 1) {
    if (n & 1) result = result * square;
    square = square * square;
  }
  return result;
}

/// Square root of a number >= 0.
template <class Real>
HOST_DEVICE Extended<Real> square_root(Extended<Real> a) {
  const bool odd = a.exponent % 2 != 0;
  const core::Index even = odd ? a.exponent - 1 : a.exponent;
  return Extended<Real>{std::sqrt(odd ? 2 * a.mantissa : a.mantissa), even / 2}.normalised();
}

}  // namespace armilla::math
