#pragma once

#include <armilla/core/types.hpp>

namespace armilla::core {

/// Larger than any memory or disk, but small enough that sums do not overflow [bytes].
inline constexpr Index kTooManyBytes = Index{1} << 60;

/// a + b for non-negative sizes, at most kTooManyBytes.
constexpr Index saturating_sum(Index a, Index b) {
  Index sum = 0;
  return __builtin_add_overflow(a, b, &sum) || sum > kTooManyBytes ? kTooManyBytes : sum;
}

/// a b for non-negative sizes, at most kTooManyBytes, so that estimates of unrealistic sizes remain comparable.
constexpr Index saturating_product(Index a, Index b) {
  Index product = 0;
  return __builtin_mul_overflow(a, b, &product) || product > kTooManyBytes ? kTooManyBytes : product;
}

}  // namespace armilla::core
