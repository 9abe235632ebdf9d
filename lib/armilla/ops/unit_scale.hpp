#pragma once

#include <algorithm>
#include <cmath>

namespace armilla::ops {

/// The power of two, from 2^-1000 to 2^1000, that brings `largest`, not negative, next to 1: numbers times it have
/// squares that neither overflow nor vanish, and no bit of them changes. 1 for 0 and what is not finite. BLAS's nrm2
/// scales for the same reason.
inline double unit_scale(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  return std::ldexp(1.0, -std::clamp(std::ilogb(largest), -1000, 1000));
}

}  // namespace armilla::ops
