#pragma once

#include <algorithm>
#include <cmath>

namespace armilla::ops {

/// The power of two, from 2^-1000 to 2^1000, that brings `largest` >= 0 close to 1. Squares of values multiplied by it
/// neither overflow nor underflow, and the scaling is exact. Returns 1 for 0 and non-finite values. BLAS's nrm2 scales
/// for the same reason.
inline double unit_scale(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  return std::ldexp(1.0, -std::clamp(std::ilogb(largest), -1000, 1000));
}

}  // namespace armilla::ops
