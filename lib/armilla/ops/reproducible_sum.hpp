#pragma once

#include <armilla/comm/communicator.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Collective. `count` sums of terms that are spread over the ranks in any way; the result is the same bit for bit
/// however they are spread and ordered. `visit(add)` calls add(number of the sum, term) for each local term; it is
/// called twice. `terms` bounds the number of terms of one sum over all ranks. Method: pre-rounding to a common grid
/// (Demmel & Nguyen 2013): of each term a leading part, a multiple of an ulp that is the same for all terms of the sum,
/// is added up without rounding, then a leading part of the rest, and once more.
template <class Visit>
std::vector<double> reproducible_sums(const comm::Communicator& comm, Index count, Index terms, Visit&& visit) {
  constexpr int levels = 3;
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> largest(n, 0.0);
  visit([&](Index i, double term) {
    double& l = largest[static_cast<std::size_t>(i)];
    l = std::max(l, std::abs(term));
  });
  comm.max(std::span<double>(largest));

  // A sum of `terms` multiples of ulp(grid) below 2^-headroom grid stays exact.
  const int headroom = std::ilogb(static_cast<double>(terms) + 1) + 2;
  std::vector<std::array<double, levels>> grids(n);
  for (std::size_t i = 0; i < n; ++i) {
    double bound = largest[i];
    for (double& grid : grids[i]) {
      grid = bound > 0 ? std::ldexp(1.0, std::ilogb(bound) + 1 + headroom) : 0.0;
      bound = std::ldexp(grid, -53);  // what rounding to the grid may leave
    }
  }
  std::vector<double> parts(n * levels, 0.0);
  visit([&](Index i, double term) {
    const auto sum = static_cast<std::size_t>(i);
    for (std::size_t level = 0; level < levels; ++level) {
      const double grid = grids[sum][level];
      const double leading = (grid + term) - grid;
      parts[sum * levels + level] += leading;
      term -= leading;
    }
  });
  comm.sum(std::span<double>(parts));
  std::vector<double> sums(n);
  for (std::size_t i = 0; i < n; ++i) sums[i] = parts[i * levels] + (parts[i * levels + 1] + parts[i * levels + 2]);
  return sums;
}

}  // namespace armilla::ops
