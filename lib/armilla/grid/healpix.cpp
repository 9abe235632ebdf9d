#include <armilla/core/error.hpp>
#include <armilla/grid/healpix.hpp>
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

void check_nside(Index nside) {
  if (nside < 1 || nside > kLargestNside)
    throw core::InputError(
        fmt::format("nside = {} is out of range: use an integer from 1 to {}", nside, kLargestNside));
}

Ring healpix_ring(Index nside, Index ring) {
  const Index number = ring + 1;
  const bool south = number > 2 * nside;
  Ring result = northern_ring(nside, south ? 4 * nside - number : number);
  if (south) {
    result.theta = core::kPi - result.theta;
    result.cos_theta = -result.cos_theta;
  }
  result.first_pixel = healpix_first_pixel(nside, ring);
  return result;
}

RingGrid make_healpix(Index nside) {
  check_nside(nside);
  check_ring_count("healpix.nside", nside, healpix_ring_count(nside));
  std::vector<Ring> rings;
  rings.reserve(static_cast<std::size_t>(healpix_ring_count(nside)));
  for (Index ring = 0; ring < healpix_ring_count(nside); ++ring) rings.push_back(healpix_ring(nside, ring));
  return RingGrid({.kind = "healpix", .nside = nside}, std::move(rings), true,
                  {3 * nside - 1, 3 * nside - 1, "3 nside - 1", "3 nside - 1"});
}

}  // namespace armilla::grid
