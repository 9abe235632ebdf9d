#pragma once

#include <armilla/grid/makers.hpp>

#include <memory>
#include <vector>

namespace armilla::test {

/// All examples of grids, and rings of which only some have mirror images.
inline std::vector<std::shared_ptr<const grid::RingGrid>> grids() {
  std::vector<std::shared_ptr<const grid::RingGrid>> all;
  for (const auto& kind : grid::grid_kinds())
    for (const auto& example : kind.examples) all.push_back(std::make_shared<grid::RingGrid>(grid::make_grid(example)));
  const std::vector<double> theta{0.2, 0.9, 1.2, core::kPi - 0.9, 2.9};
  all.push_back(std::make_shared<grid::RingGrid>(
      grid::make_rings(theta, std::vector<double>(5, 0.1), std::vector<core::Index>{3, 8, 9, 8, 2}, {}, "test")));
  return all;
}

/// Numbers of ranks of distributions.
inline constexpr int kRanks[] = {1, 2, 3, 7, 100};

}  // namespace armilla::test
