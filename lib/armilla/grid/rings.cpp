#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace armilla::grid {

RingGrid make_rings(std::span<const double> theta, std::span<const double> phi0, std::span<const Index> nphi,
                    std::span<const double> weight, const std::string& source) {
  if (phi0.size() != theta.size() || nphi.size() != theta.size() || (!weight.empty() && weight.size() != theta.size()))
    throw core::InputError(
        fmt::format("rings of '{}': theta, phi0, nphi and weight have {}, {}, {} and {} entries: give one of each per "
                    "ring, or no weight",
                    source, theta.size(), phi0.size(), nphi.size(), weight.size()));
  std::vector<Ring> rings(theta.size());
  Index longest = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    Ring& ring = rings[i];
    ring.theta = theta[i];
    ring.cos_theta = std::cos(theta[i]);
    // Near the southern pole pi - theta is exact in double, and its sine has the digits that sin(theta) would lose to
    // the rounding of pi. Mirror rings get the same sine.
    constexpr double pi_low = 1.2246467991473532e-16;  // pi - kPi
    ring.sin_theta = theta[i] <= core::kPi / 2 ? std::sin(theta[i]) : std::sin((core::kPi - theta[i]) + pi_low);
    ring.phi0 = phi0[i];
    ring.nphi = nphi[i];
    ring.weight = weight.empty() ? 0.0 : weight[i];
    longest = std::max(longest, nphi[i]);
  }
  // Without knowing the rule behind the weights, take what the numbers of rings and pixels could carry at best.
  const Index lmax = std::min(static_cast<Index>(rings.size()) - 1, (longest - 1) / 2);
  return RingGrid({.kind = "rings", .file = source}, std::move(rings), !weight.empty(), lmax);
}

RingGrid make_grid(const GridDescription& description) {
  if (description.kind == "healpix") return make_healpix(description.nside);
  if (description.kind == "gauss") return make_gauss(description.nlat, description.nphi);
  throw core::InternalError(fmt::format("grid kind '{}' cannot be made from its description", description.kind));
}

std::span<const GridKind> grid_kinds() {
  static const std::vector<GridKind> kinds{
      {"healpix",
       {"nside"},
       {{.kind = "healpix", .nside = 1}, {.kind = "healpix", .nside = 2}, {.kind = "healpix", .nside = 16}}},
      {"gauss",
       {"nlat", "nphi"},
       {{.kind = "gauss", .nlat = 1, .nphi = 1},
        {.kind = "gauss", .nlat = 2, .nphi = 3},
        {.kind = "gauss", .nlat = 24, .nphi = 50},
        {.kind = "gauss", .nlat = 33, .nphi = 65}}},
  };
  return kinds;
}

}  // namespace armilla::grid
