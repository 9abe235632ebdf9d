#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/math/sum_grids.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

using math::sum_grids;
using math::SumGrids;

/// Adds the parts of `term` to those of a sum.
inline void add_parts(const SumGrids& grids, double term, SumGrids& parts) {
  math::add_parts(grids.data(), term, parts.data());
}

/// Collective. The sums that the parts of all ranks make.
inline std::vector<double> total_of_parts(const comm::Communicator& comm, std::span<SumGrids> parts) {
  comm.sum(std::span<double>(parts.empty() ? nullptr : parts.front().data(), parts.size() * SumGrids().size()));
  std::vector<double> sums;
  for (const SumGrids& part : parts) sums.push_back(part[0] + (part[1] + part[2]));
  return sums;
}

/// Collective. `count` sums of terms that are spread over the ranks in any way; the result is the same bit for bit
/// however they are spread and ordered. `visit(add)` calls add(number of the sum, term) for each local term; it is
/// called twice. `terms` bounds the number of terms of one sum over all ranks. Method: pre-rounding to a common grid
/// (Demmel & Nguyen 2013): of each term a leading part, a multiple of an ulp that is the same for all terms of the sum,
/// is added up without rounding, then a leading part of the rest, and once more.
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
  return total_of_parts(comm, parts);
}

}  // namespace armilla::ops
