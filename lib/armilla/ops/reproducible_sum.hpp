#pragma once

#include <armilla/comm/phase.hpp>
#include <armilla/core/exception_collector.hpp>
#include <armilla/core/types.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Number of grids to which the terms of a sum are rounded, coarsest first.
inline constexpr int kSumLevels = 3;
using SumGrids = std::array<double, kSumLevels>;

/// Grids for at most `terms` terms of magnitude at most `largest`. A sum of that many multiples of ulp(grid) below
/// 2^-headroom grid is exact.
inline SumGrids sum_grids(double largest, Index terms) {
  const int headroom = std::ilogb(static_cast<double>(terms) + 1) + 2;
  SumGrids grids;
  double bound = largest;
  for (double& grid : grids) {
    grid = bound > 0 && std::isfinite(bound) ? std::ldexp(1.0, std::ilogb(bound) + 1 + headroom) : 0.0;
    bound = std::ldexp(grid, -53);  // bound on the remainder after rounding to the grid
  }
  return grids;
}

/// Adds the parts of `term` to the parts of a sum.
inline void add_parts(const SumGrids& grids, double term, SumGrids& parts) {
  for (std::size_t level = 0; level < grids.size(); ++level) {
    const double leading = (grids[level] + term) - grids[level];
    parts[level] += leading;
    term -= leading;
  }
}

/// Collective. Computes `count` sums of terms distributed over the ranks; the result is bitwise identical for any
/// distribution and order of the terms. `visit(add)` calls add(index of the sum, term) for each local term; each sum is
/// updated by one thread at a time. `visit` is called twice. `terms` bounds the number of terms of one sum over all
/// ranks. Method: pre-rounding to a common grid (Demmel & Nguyen 2013). The leading part of each term, a multiple of an
/// ulp common to all terms of the sum, is summed without rounding. This is repeated twice on the remainders.
template <class Visit>
std::vector<double> reproducible_sums(const comm::Communicator& comm, Index count, Index terms, Visit&& visit) {
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> largest, sums;
  std::vector<SumGrids> grids, parts;
  comm::phase(comm, [&] {
    largest.assign(n, 0.0);
    sums.reserve(n);
    grids.resize(n);
    parts.assign(n, SumGrids{});
    visit([&](Index i, double term) {
      double& l = largest[static_cast<std::size_t>(i)];
      l = std::max(l, std::abs(term));
    });
  });
  comm.max(std::span<double>(largest));
  comm::phase(comm, [&] {
    for (std::size_t i = 0; i < n; ++i) grids[i] = sum_grids(largest[i], terms);
    visit([&](Index i, double term) {
      add_parts(grids[static_cast<std::size_t>(i)], term, parts[static_cast<std::size_t>(i)]);
    });
  });
  comm.sum(std::span<double>(parts.empty() ? nullptr : parts.front().data(), parts.size() * SumGrids().size()));
  for (const SumGrids& part : parts) sums.push_back(part[0] + (part[1] + part[2]));
  return sums;
}

/// Collective. Computes kSums sums for each of `sets`, [set][sum], over rows (rings, orders m) that one rank holds
/// completely. row(set, own row) returns the contribution of one of the `rows` of this rank, a std::array<double,
/// kSums>. The contribution must be identical on any rank and thread; threads of this rank call it. Rows may be in any
/// order; all ranks together have `all_rows`. Method: the contributions of rows are summed reproducibly, so the terms
/// themselves are visited once.
template <std::size_t kSums, class Row>
std::vector<double> sums_over_rows(const comm::Communicator& comm, Index sets, Index rows, Index all_rows, Row&& row) {
  std::vector<std::array<double, kSums>> parts;
  comm::phase(comm, [&] {
    parts.resize(static_cast<std::size_t>(sets * rows));
    core::ExceptionCollector collect;
#pragma omp parallel for schedule(dynamic, 16)
    for (Index i = 0; i < sets * rows; ++i)
      collect([&] { parts[static_cast<std::size_t>(i)] = row(i / rows, i % rows); });
    collect.rethrow();
  });
  return reproducible_sums(comm, static_cast<Index>(kSums) * sets, all_rows, [&](auto&& add) {
    for (Index i = 0; i < sets * rows; ++i)
      for (std::size_t s = 0; s < kSums; ++s)
        add(static_cast<Index>(kSums) * (i / rows) + static_cast<Index>(s), parts[static_cast<std::size_t>(i)][s]);
  });
}

}  // namespace armilla::ops
