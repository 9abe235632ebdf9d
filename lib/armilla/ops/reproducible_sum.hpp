#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// What each level of a sum is rounded to, coarsest first.
inline constexpr int kSumLevels = 3;
using SumGrids = std::array<double, kSumLevels>;

/// Of terms not above `largest`, `terms` in number: a sum of as many multiples of ulp(grid) below 2^-headroom grid
/// stays exact.
inline SumGrids sum_grids(double largest, Index terms) {
  const int headroom = std::ilogb(static_cast<double>(terms) + 1) + 2;
  SumGrids grids;
  double bound = largest;
  for (double& grid : grids) {
    grid = bound > 0 && std::isfinite(bound) ? std::ldexp(1.0, std::ilogb(bound) + 1 + headroom) : 0.0;
    bound = std::ldexp(grid, -53);  // what rounding to the grid may leave
  }
  return grids;
}

/// Adds the parts of `term` to those of a sum.
inline void add_parts(const SumGrids& grids, double term, SumGrids& parts) {
  for (std::size_t level = 0; level < grids.size(); ++level) {
    const double leading = (grids[level] + term) - grids[level];
    parts[level] += leading;
    term -= leading;
  }
}

/// Collective. `count` sums of terms that are spread over the ranks in any way; the result is the same bit for bit
/// however they are spread and ordered. `visit(add)` calls add(number of the sum, term) for each local term, a sum by
/// one thread at a time; it is called twice. `terms` bounds the number of terms of one sum over all ranks. Method:
/// pre-rounding to a common grid (Demmel & Nguyen 2013): of each term a leading part, a multiple of an ulp that is the
/// same for all terms of the sum, is added up without rounding, then a leading part of the rest, and once more.
template <class Visit>
std::vector<double> reproducible_sums(const comm::Communicator& comm, Index count, Index terms, Visit&& visit) {
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> largest(n, 0.0);
  visit([&](Index i, double term) {
    double& l = largest[static_cast<std::size_t>(i)];
    l = std::max(l, std::abs(term));
  });
  comm.max(std::span<double>(largest));

  std::vector<SumGrids> grids(n);
  for (std::size_t i = 0; i < n; ++i) grids[i] = sum_grids(largest[i], terms);
  std::vector<SumGrids> parts(n, SumGrids{});
  visit([&](Index i, double term) {
    add_parts(grids[static_cast<std::size_t>(i)], term, parts[static_cast<std::size_t>(i)]);
  });
  comm.sum(std::span<double>(parts.empty() ? nullptr : parts.front().data(), parts.size() * SumGrids().size()));
  std::vector<double> sums;
  for (const SumGrids& part : parts) sums.push_back(part[0] + (part[1] + part[2]));
  return sums;
}

/// Collective. kSums sums of each of `sets`, [set][sum], of terms in rows (rings, orders m) that one rank each has
/// whole: row(set, own row) gives what one of the `rows` of this rank has in a set, a std::array<double, kSums>
/// that is the same on any rank and thread; it is called by threads of this one. The rank has them in any order; all
/// ranks together have `all_rows`. Method: what rows give is added up reproducibly, so the terms themselves are visited
/// once.
template <std::size_t kSums, class Row>
std::vector<double> sums_over_rows(const comm::Communicator& comm, Index sets, Index rows, Index all_rows, Row&& row) {
  std::vector<std::array<double, kSums>> parts(static_cast<std::size_t>(sets * rows));
#pragma omp parallel for schedule(dynamic, 16)
  for (Index i = 0; i < sets * rows; ++i) parts[static_cast<std::size_t>(i)] = row(i / rows, i % rows);
  return reproducible_sums(comm, static_cast<Index>(kSums) * sets, all_rows, [&](auto&& add) {
    for (Index i = 0; i < sets * rows; ++i)
      for (std::size_t s = 0; s < kSums; ++s)
        add(static_cast<Index>(kSums) * (i / rows) + static_cast<Index>(s), parts[static_cast<std::size_t>(i)][s]);
  });
}

}  // namespace armilla::ops
