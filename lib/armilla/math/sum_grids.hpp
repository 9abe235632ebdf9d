#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <array>
#include <cmath>

namespace armilla::math {

using core::Index;

/// What each level of sums that do not depend on the order of their terms is rounded to, coarsest first: pre-rounding
/// to a common grid (Demmel & Nguyen 2013).
inline constexpr int kSumLevels = 3;
using SumGrids = std::array<double, kSumLevels>;

/// Of terms not above `largest`, `terms` in number: a sum of as many multiples of ulp(grid) below 2^-headroom grid
/// stays exact.
inline SumGrids sum_grids(double largest, Index terms) {
  const int headroom = std::ilogb(static_cast<double>(terms) + 1) + 2;
  SumGrids grids;
  double bound = largest;
  for (double& grid : grids) {
    grid = bound > 0 ? std::ldexp(1.0, std::ilogb(bound) + 1 + headroom) : 0.0;
    bound = std::ldexp(grid, -53);  // what rounding to the grid may leave
  }
  return grids;
}

/// Adds the parts of `term` to those of a sum, [level].
HOST_DEVICE inline void add_parts(const double* grids, double term, double* parts) {
  for (int level = 0; level < kSumLevels; ++level) {
    const double leading = (grids[level] + term) - grids[level];
    parts[level] += leading;
    term -= leading;
  }
}

}  // namespace armilla::math
