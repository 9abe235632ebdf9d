#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/math/gauss_legendre.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::grid {

RingGrid make_gauss(Index nlat, Index nphi) {
  if (nlat < 1) throw core::InputError(fmt::format("gauss.nlat = {}: give at least one ring", nlat));
  if (nphi < 0) throw core::InputError(fmt::format("gauss.nphi = {}: give at least one pixel per ring", nphi));
  if (nphi == 0) nphi = 2 * nlat;
  std::vector<Ring> rings(static_cast<std::size_t>(nlat));
  for (Index i = 0; i < (nlat + 1) / 2; ++i) {
    const math::GaussNode node = math::gauss_legendre_node(nlat, i);
    const Ring north{.theta = node.theta,
                     .cos_theta = node.cos_theta,
                     .sin_theta = node.sin_theta,
                     .phi0 = 0,
                     .nphi = nphi,
                     .first_pixel = 0,
                     .weight = 2 * core::kPi * node.weight};
    Ring south = north;
    south.theta = core::kPi - node.theta;
    south.cos_theta = -node.cos_theta;
    rings[static_cast<std::size_t>(nlat - 1 - i)] = south;
    rings[static_cast<std::size_t>(i)] = north;
  }
  return RingGrid({.kind = "gauss", .nlat = nlat, .nphi = nphi}, std::move(rings), true,
                  std::min(nlat - 1, (nphi - 1) / 2));
}

}  // namespace armilla::grid
