#include <armilla/core/error.hpp>
#include <armilla/grid/healpix.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace armilla::grid {

namespace {

// FFTW uses 32-bit lengths.
constexpr Index kLongestRing = std::numeric_limits<std::int32_t>::max();

// [rad] Beyond it a longitude has lost more than the digits of single precision, and numbers of pixels may overflow.
constexpr double kLargestLongitude = 1e6;

// Names the dataset and index of the invalid value, so that it can be found in the file.
void check_ring(std::span<const double> theta, std::span<const double> phi0, std::span<const Index> nphi,
                std::span<const double> weight, std::size_t i, const std::string& source) {
  const auto refuse = [&](const char* dataset, auto value, const std::string& rest) {
    throw core::InputError(fmt::format("'{}': grid/{}[{}] = {} {}", source, dataset, i, value, rest));
  };
  if (!(theta[i] >= 0 && theta[i] <= core::kPi))
    refuse("theta", theta[i], "is outside [0, pi]: use colatitudes in radians");
  if (i > 0 && theta[i] == theta[i - 1])
    refuse("theta", theta[i],
           fmt::format("equals that of row {}: rings must not coincide: merge them into one ring of equidistant pixels",
                       i - 1));
  if (i > 0 && theta[i] < theta[i - 1])
    refuse("theta", theta[i],
           fmt::format("does not exceed grid/theta[{}] = {}: sort the rings by theta", i - 1, theta[i - 1]));
  if (nphi[i] < 1) refuse("nphi", nphi[i], "must be at least 1: remove rings without pixels");
  if (nphi[i] > kLongestRing)
    refuse("nphi", nphi[i], fmt::format("exceeds the FFT limit of {}: use fewer pixels", kLongestRing));
  if (!std::isfinite(phi0[i]))
    refuse("phi0", phi0[i], "is not a finite number: use the longitude of the first pixel in radians");
  if (std::abs(phi0[i]) > kLargestLongitude)
    refuse("phi0", phi0[i],
           fmt::format("exceeds {} in magnitude: use the longitude of the first pixel in radians", kLargestLongitude));
  if (!weight.empty() && !std::isfinite(weight[i]))
    refuse("weight", weight[i], "is not a finite number: use steradians, or omit the dataset");
}

}  // namespace

RingGrid make_rings(std::span<const double> theta, std::span<const double> phi0, std::span<const Index> nphi,
                    std::span<const double> weight, const std::string& source) {
  if (phi0.size() != theta.size() || nphi.size() != theta.size() || (!weight.empty() && weight.size() != theta.size()))
    throw core::InputError(
        fmt::format("'{}': grid/theta, phi0, nphi and weight have {}, {}, {} and {} rows: write one row per ring for "
                    "each, or omit weight",
                    source, theta.size(), phi0.size(), nphi.size(), weight.size()));
  if (static_cast<Index>(theta.size()) > kMaxRings)
    throw core::InputError(
        fmt::format("'{}': grid/theta has {} rings, but at most {} are supported", source, theta.size(), kMaxRings));
  std::vector<Ring> rings(theta.size());
  Index longest = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    check_ring(theta, phi0, nphi, weight, i, source);
    Ring& ring = rings[i];
    ring.theta = theta[i];
    ring.cos_theta = std::cos(theta[i]);
    // Near the south pole, pi - theta is exact in double, and its sine retains the digits that sin(theta) would lose by
    // the rounding of pi. Mirror rings get the same sine.
    constexpr double pi_low = 1.2246467991473532e-16;  // pi - kPi
    ring.sin_theta = theta[i] <= core::kPi / 2 ? std::sin(theta[i]) : std::sin((core::kPi - theta[i]) + pi_low);
    ring.phi0 = phi0[i];
    ring.nphi = nphi[i];
    ring.weight = weight.empty() ? 0.0 : weight[i];
    longest = std::max(longest, nphi[i]);
  }
  // The rule of the weights is unknown, so the limits are the best possible for these numbers of rings and pixels.
  const AnalysisLimits limits{static_cast<Index>(rings.size()) - 1, (longest - 1) / 2, "the number of rings - 1",
                              "(largest nphi - 1) / 2"};
  return RingGrid({.kind = "rings", .file = source}, std::move(rings), !weight.empty(), limits);
}

void check_ring_count(const std::string& parameter, Index value, Index rings) {
  if (rings > kMaxRings)
    throw core::InputError(
        fmt::format("{} = {} results in {} rings, but at most {} are supported: use a smaller number", parameter, value,
                    rings, kMaxRings));
}

double normalised_longitude(double phi) {
  const double turn = 2 * core::kPi;
  const double rest = std::fmod(phi, turn);
  const double longitude = rest < 0 ? rest + turn : rest;
  return longitude >= turn ? 0.0 : longitude;  // NaN remains NaN
}

Index ring_count(const GridDescription& d) {
  Index rings = 0;
  for (const RingRange& range : d.part) rings += range.last - range.first + 1;
  if (!d.is_whole()) return rings;
  if (d.kind != "healpix") return d.nlat;
  check_nside(d.nside);
  return healpix_ring_count(d.nside);
}

RingGrid make_grid(const GridDescription& d) {
  if (!d.is_whole()) {
    GridDescription whole = d;
    whole.part.clear();
    return make_part(whole, {.rings = d.part});
  }
  if (d.kind == "healpix") return make_healpix(d.nside);
  if (d.kind == "gauss") return make_gauss(d.nlat, d.nphi, d.phi0);
  if (d.kind == "equiangular") return make_equiangular(d.rule, d.nlat, d.nphi, d.phi0);
  if (d.kind == "reduced_gauss") return make_reduced_gauss(d.nlat, d.spin, d.phi0);
  if (d.kind == "octahedral") return make_octahedral(d.nlat);
  throw core::InputError(
      fmt::format("the grid kind '{}' cannot be created from a description: use one of healpix, gauss, "
                  "equiangular, reduced_gauss, octahedral",
                  d.kind));
}

}  // namespace armilla::grid
