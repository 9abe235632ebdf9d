#include <armilla/grid/healpix_symmetry.hpp>
#include <armilla/grid/makers.hpp>

#include <utility>

namespace armilla::grid {

HealpixOrbits::HealpixOrbits(Index nside) : nside_(nside), begin_{0} {
  for (Index pair = 0; pair < 2 * nside; ++pair) {
    const Index pixels = quarter(pair);
    begin_.push_back(begin_.back() + (is_shifted(pair) ? (pixels + 1) / 2 : pixels / 2 + 1));
  }
}

Index HealpixOrbits::place(Index pair, Index j) const {
  const Index pixels = quarter(pair);
  return is_shifted(pair) ? std::min(j, pixels - 1 - j) : std::min(j, pixels - j);
}

RingGrid make_healpix_quarter(Index nside) {
  const RingGrid whole = make_healpix(nside);
  std::vector<Ring> rings(whole.rings().begin(), whole.rings().end());
  for (Ring& ring : rings) {
    ring.nphi /= 4;
    ring.phi0 *= 4;
  }
  return RingGrid({.kind = "healpix quarter", .nside = nside}, std::move(rings), true, whole.analysis_limits());
}

}  // namespace armilla::grid
