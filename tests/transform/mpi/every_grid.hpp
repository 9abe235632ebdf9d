#pragma once

#include <armilla/grid/makers.hpp>

#include <memory>
#include <string>
#include <vector>

namespace armilla::transform {

struct GridCase {
  std::string name;
  std::shared_ptr<const grid::RingGrid> grid;
};

/// Every kind of grid of the table of makers; rings that no kind has: without mirror rings, short, at the poles; and
/// one pair of rings, so that some of three ranks own none.
inline std::vector<GridCase> every_grid() {
  std::vector<GridCase> cases;
  for (const auto& kind : grid::grid_kinds())
    for (const auto& example : kind.examples)
      cases.push_back({example.text(), std::make_shared<grid::RingGrid>(grid::make_grid(example))});
  const std::vector<double> theta{0.0, 1e-7, 0.4, 1.0, core::kPi / 2, 1.7, core::kPi - 1.0, 3.0, core::kPi};
  const std::vector<double> phi0{0.1, -2.0, 0.0, 3.0, 0.5, 0.2, 1.0, 1.5, 0.7};
  const std::vector<Index> nphi{1, 3, 17, 40, 2, 61, 5, 8, 4};
  cases.push_back({"irregular", std::make_shared<grid::RingGrid>(grid::make_rings(theta, phi0, nphi, {}, "test"))});
  cases.push_back({"one pair", std::make_shared<grid::RingGrid>(grid::make_gauss(2, 5, 0.3))});
  return cases;
}

}  // namespace armilla::transform
