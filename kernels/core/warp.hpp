#pragma once

#include <armilla/core/types.hpp>

namespace armilla::kernels {

using core::Index;

/// Lanes of a warp, which run in step.
inline constexpr int kWarp = 32;

/// Two numbers that are loaded and stored as one.
struct alignas(16) Two {
  double a, b;
};

}  // namespace armilla::kernels
