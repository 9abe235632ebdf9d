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
  const AnalysisLimits limits{static_cast<Index>(rings.size()) - 1, (longest - 1) / 2, "the number of rings - 1",
                              "(largest nphi - 1) / 2"};
  return RingGrid({.kind = "rings", .file = source}, std::move(rings), !weight.empty(), limits);
}

double normalised_longitude(double phi) {
  const double turn = 2 * core::kPi;
  const double rest = std::fmod(phi, turn);
  const double longitude = rest < 0 ? rest + turn : rest;
  return longitude < turn ? longitude : 0.0;
}

RingGrid make_grid(const GridDescription& d) {
  if (d.kind == "healpix") return make_healpix(d.nside);
  if (d.kind == "gauss") return make_gauss(d.nlat, d.nphi, d.phi0);
  if (d.kind == "equiangular") return make_equiangular(d.rule, d.nlat, d.nphi, d.phi0);
  if (d.kind == "octahedral") return make_octahedral(d.nlat);
  throw core::InternalError(fmt::format("grid kind '{}' cannot be made from its description", d.kind));
}

}  // namespace armilla::grid
