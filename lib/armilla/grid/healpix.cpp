#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::grid {

namespace {

// Ring `number` = 1 .. 2 nside of the northern hemisphere and equator (Gorski et al. 2005, section 4).
Ring northern_ring(Index nside, Index number) {
  Ring ring{};
  const auto n = static_cast<double>(nside);
  const auto i = static_cast<double>(number);
  if (number < nside) {
    const double one_minus_z = i * i / (3 * n * n);  // exact to rounding, where 1 - cos(theta) would lose digits
    ring.cos_theta = 1 - one_minus_z;
    ring.sin_theta = std::sqrt(one_minus_z * (2 - one_minus_z));
    ring.nphi = 4 * number;
    ring.phi0 = core::kPi / static_cast<double>(ring.nphi);
  } else {
    ring.cos_theta = (4 * n - 2 * i) / (3 * n);
    ring.sin_theta = std::sqrt((1 - ring.cos_theta) * (1 + ring.cos_theta));
    ring.nphi = 4 * nside;
    ring.phi0 = (number - nside) % 2 == 0 ? core::kPi / static_cast<double>(ring.nphi) : 0.0;
  }
  ring.theta = std::atan2(ring.sin_theta, ring.cos_theta);
  ring.weight = static_cast<double>(ring.nphi) * core::kPi / (3 * n * n);
  return ring;
}

}  // namespace

RingGrid make_healpix(Index nside) {
  if (nside < 1 || nside > (Index{1} << 29))
    throw core::InputError(fmt::format("nside = {} is out of range: give a number from 1 to 2^29", nside));
  std::vector<Ring> rings(static_cast<std::size_t>(4 * nside - 1));
  for (Index number = 1; number <= 2 * nside; ++number) {
    const Ring north = northern_ring(nside, number);
    Ring south = north;
    south.theta = core::kPi - north.theta;
    south.cos_theta = -north.cos_theta;
    rings[static_cast<std::size_t>(4 * nside - 1 - number)] = south;
    rings[static_cast<std::size_t>(number - 1)] = north;
  }
  return RingGrid({.kind = "healpix", .nside = nside}, std::move(rings), true,
                  {3 * nside - 1, 3 * nside - 1, "3 nside - 1", "3 nside - 1"});
}

}  // namespace armilla::grid
