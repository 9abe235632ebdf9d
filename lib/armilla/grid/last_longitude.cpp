#include <armilla/core/error.hpp>
#include <armilla/grid/last_longitude.hpp>
#include <armilla/grid/makers.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace armilla::grid {

RingGrid without_last_longitude(const RingGrid& grid) {
  GridDescription description = grid.description();
  const auto is_single = [](const Ring& ring) { return ring.nphi == 1; };
  if (description.kind == "healpix" || std::ranges::any_of(grid.rings(), is_single))
    throw core::InputError(fmt::format("{} has no last longitude that repeats the first", description.text()));
  if (description.nphi > 0) {
    --description.nphi;
    return make_grid(description);
  }
  std::vector<double> theta, phi0, weight;
  std::vector<Index> nphi;
  for (const Ring& ring : grid.rings()) {
    theta.push_back(ring.theta);
    phi0.push_back(ring.phi0);
    nphi.push_back(ring.nphi - 1);
    if (grid.has_weights()) weight.push_back(ring.weight);
  }
  return make_rings(theta, phi0, nphi, weight, description.file);
}

}  // namespace armilla::grid
