#pragma once

#include <armilla/core/types.hpp>

namespace armilla::resample {

/// Parity of Delta_m of one m and spin across the pole: F(-theta) = +-F(theta).
enum class PoleParity { kEven, kOdd };

constexpr PoleParity pole_parity(core::Index m, core::Index spin) {
  return ((m + spin) & 1) == 0 ? PoleParity::kEven : PoleParity::kOdd;
}

constexpr double sign_of(PoleParity parity) { return parity == PoleParity::kEven ? 1.0 : -1.0; }

}  // namespace armilla::resample
