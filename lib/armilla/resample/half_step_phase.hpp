#pragma once

#include <armilla/core/types.hpp>

#include <cmath>
#include <complex>
#include <numbers>

namespace armilla::resample {

/// exp(-i pi k / (2 length)), computed in long double and rounded.
inline std::complex<double> half_step_phase(core::Index k, core::Index length) {
  const long double angle =
      std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(2 * length);
  return {static_cast<double>(std::cos(angle)), static_cast<double>(-std::sin(angle))};
}

}  // namespace armilla::resample
