#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/math/gauss_legendre.hpp>
#include <armilla/math/legendre_decay.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::grid {

namespace {

// Rings starting at phi0, with nphi(i, node) pixels on the i-th ring from either pole, i = 0, 1, ...
template <class Pixels>
std::vector<Ring> gauss_rings(Index nlat, double phi0, const Pixels& nphi) {
  std::vector<Ring> rings(static_cast<std::size_t>(nlat));
  for (Index i = 0; i < (nlat + 1) / 2; ++i) {
    const math::GaussNode node = math::gauss_legendre_node(nlat, i);
    const Ring north{.theta = node.theta,
                     .cos_theta = node.cos_theta,
                     .sin_theta = node.sin_theta,
                     .phi0 = phi0,
                     .nphi = nphi(i, node),
                     .first_pixel = 0,
                     .weight = 2 * core::kPi * node.weight};
    Ring south = north;
    south.theta = core::kPi - node.theta;
    south.cos_theta = -node.cos_theta;
    rings[static_cast<std::size_t>(nlat - 1 - i)] = south;
    rings[static_cast<std::size_t>(i)] = north;
  }
  return rings;
}

// Even products of 2, 3 and 5 up to the longest ring of any grid, in ascending order.
std::vector<Index> smooth_lengths() {
  constexpr Index kLongest = 4 * kMaxRings;
  std::vector<Index> lengths;
  for (Index two = 2; two <= kLongest; two *= 2)
    for (Index three = two; three <= kLongest; three *= 3)
      for (Index five = three; five <= kLongest; five *= 5) lengths.push_back(five);
  std::ranges::sort(lengths);
  return lengths;
}

// The smallest even product of 2, 3 and 5 that is at least n <= 2 kMaxRings; every FFT is fast for these lengths.
Index smooth_length(Index n) {
  static const std::vector<Index> lengths = smooth_lengths();
  return *std::ranges::lower_bound(lengths, n);
}

// On n pixels, m' = n - m is an alias of -m, so one function contributes to the coefficient of another with a factor
// lambda_lm lambda_l'm'. It is largest at m = m' = n / 2, where it is exp(-36) = 2e-16 times that of oscillating
// functions. The measured total is below 1e-16 (tests/grid/test_reduced_gauss.cpp).
constexpr double kHalfDecay = 18;

}  // namespace

RingGrid make_gauss(Index nlat, Index nphi, double phi0) {
  if (nlat < 1) throw core::InputError(fmt::format("gauss.nlat = {}: use at least one ring", nlat));
  check_ring_count("gauss.nlat", nlat, nlat);
  if (nphi < 0) throw core::InputError(fmt::format("gauss.nphi = {}: use at least one pixel per ring", nphi));
  if (nphi == 0) nphi = 2 * nlat;
  phi0 = normalised_longitude(phi0);
  return RingGrid({.kind = "gauss", .nlat = nlat, .nphi = nphi, .phi0 = phi0},
                  gauss_rings(nlat, phi0, [&](Index, const math::GaussNode&) { return nphi; }), true,
                  {nlat - 1, (nphi - 1) / 2, "nlat - 1", "(nphi - 1) / 2"});
}

RingGrid make_reduced_gauss(Index nlat, Index spin, double phi0) {
  if (nlat < 1) throw core::InputError(fmt::format("reduced_gauss.nlat = {}: use at least one ring", nlat));
  check_ring_count("reduced_gauss.nlat", nlat, nlat);
  if (spin < 0)
    throw core::InputError(fmt::format("reduced_gauss.spin = {}: set it to the highest spin, at least 1", spin));
  if (spin == 0) spin = 3;
  const Index lmax = nlat - 1;
  const auto nphi = [&](Index, const math::GaussNode& node) {
    const Index order = math::decayed_order(lmax, kHalfDecay, node.cos_theta, node.sin_theta);
    return smooth_length(std::min(2 * (order + std::min(spin, nlat)), 2 * lmax + 1));  // more spins are full rings
  };
  phi0 = normalised_longitude(phi0);
  std::vector<Ring> rings = gauss_rings(nlat, phi0, nphi);
  AnalysisLimits limits{lmax, lmax, "nlat - 1", "nlat - 1"};
  if (rings.front().nphi <= 2 * lmax) limits.spin = spin;  // small grids are full grids, for any spin
  return RingGrid({.kind = "reduced_gauss", .nlat = nlat, .phi0 = phi0, .spin = spin}, std::move(rings), true,
                  std::move(limits));
}

RingGrid make_octahedral(Index nlat) {
  if (nlat < 2 || nlat % 2 != 0)
    throw core::InputError(fmt::format("octahedral.nlat = {}: use an even number of rings, at least 2", nlat));
  check_ring_count("octahedral.nlat", nlat, nlat);
  // The longest ring has 2 nlat + 16 pixels. Orders m up to nlat - 1 are distinguished at the equator, but not near the
  // poles.
  return RingGrid({.kind = "octahedral", .nlat = nlat},
                  gauss_rings(nlat, 0.0, [](Index i, const math::GaussNode&) { return 4 * i + 20; }), true,
                  {nlat - 1, nlat - 1, "nlat - 1", "nlat - 1"});
}

}  // namespace armilla::grid
