#include <armilla/comm/phase.hpp>
#include <armilla/core/types.hpp>
#include <armilla/doctor/checks.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>

#include <fmt/format.h>

namespace armilla::doctor {

namespace {

using core::at;

constexpr Index kLmax = 128;
/// The rounding error of double, 1e-16, times about ten for each doubling of lmax, with a margin. Errors caused by a
/// defect are far larger.
constexpr double kLimit = 1e-12;

/// Smooth values without symmetry, which every rank can compute: real at m = 0, zero for E and B below l = 2.
std::complex<double> coefficient(Index component, Index l, Index m) {
  if (component > 0 && l < 2) return 0;
  const auto x = static_cast<double>(l + 1);
  const auto y = static_cast<double>(3 * m + component);
  return {std::cos(1.3 * x + 0.7 * y) / x, m == 0 ? 0.0 : std::sin(0.9 * x - 1.1 * y) / x};
}

template <class Work>
void for_each_coefficient(const transform::AlmField<double>& alm, Work&& work) {
  const auto own_m = alm.distribution().local_m(alm.rank());
  const auto offsets = alm.distribution().local_offsets(alm.rank());
  for (Index c = 0; c < alm.kind().components(); ++c)
    for (std::size_t k = 0; k < own_m.size(); ++k)
      for (Index l = own_m[k]; l <= kLmax; ++l) work(c, l, own_m[k], at(offsets[k] + l));
}

/// Collective. The largest error of the map of Y_10, relative to its maximum.
double error_of_exact_map(const comm::Communicator& world, const transform::MapField<double>& map) {
  double error = 0;
  comm::phase(world, [&] {
    const auto& pixels = map.distribution();
    const auto rings = pixels.local_rings(world.rank());
    const auto begins = pixels.local_ring_pixels(world.rank());
    const auto values = map.component(0, 0);
    const double largest = std::sqrt(3 / (4 * core::kPi));
    for (std::size_t i = 0; i < rings.size(); ++i) {
      const grid::Ring& ring = pixels.grid().rings()[at(rings[i])];
      for (Index p = begins[i]; p < begins[i] + ring.nphi; ++p)
        error = std::max(error, std::abs(values[at(p)] / largest - std::cos(ring.theta)));
    }
  });
  world.max({&error, 1});
  return error;
}

}  // namespace

ArithmeticFacts examine_arithmetic(const comm::Communicator& world, std::vector<Finding>& findings) {
  transform::FieldTransformSpec spec;
  std::unique_ptr<transform::AlmField<double>> alm, back;
  std::unique_ptr<transform::MapField<double>> map;
  comm::phase(world, [&] {
    spec.kind = transform::FieldKind::temperature_polarisation();
    spec.alm = std::make_shared<const dist::AlmDistribution>(alm::AlmLayout(kLmax, kLmax), world.size());
    spec.pixels = std::make_shared<const dist::PixelDistribution>(
        std::make_shared<const grid::RingGrid>(grid::make_gauss(kLmax + 1, 0)), world.size());
    spec.backend = backend::Kind::kCpu;
    alm = std::make_unique<transform::AlmField<double>>(spec.kind, spec.alm, world.rank(), 1);
    back = std::make_unique<transform::AlmField<double>>(spec.kind, spec.alm, world.rank(), 1);
    map = std::make_unique<transform::MapField<double>>(spec.kind, spec.pixels, world.rank(), 1);
    for_each_coefficient(
        *alm, [&](Index c, Index l, Index m, std::size_t i) { alm->component(0, c)[i] = coefficient(c, l, m); });
  });
  transform::FieldTransform<double> transform(world, spec);
  transform.synthesis(*alm, *map);
  transform.quadrature(*map, *back);
  std::array<double, 6> sums{};  // [component] of squared differences, then of squares
  for_each_coefficient(*alm, [&](Index c, Index, Index m, std::size_t i) {
    const double weight = m == 0 ? 1 : 2;
    sums[at(c)] += weight * std::norm(back->component(0, c)[i] - alm->component(0, c)[i]);
    sums[at(c) + 3] += weight * std::norm(alm->component(0, c)[i]);
  });
  world.sum(std::span<double>(sums));
  ArithmeticFacts facts;
  facts.lmax = kLmax;
  facts.limit = kLimit;
  for (std::size_t c = 0; c < 3; ++c) facts.round_trip = std::max(facts.round_trip, std::sqrt(sums[c] / sums[c + 3]));
  for_each_coefficient(*alm, [&](Index c, Index l, Index m, std::size_t i) {
    alm->component(0, c)[i] = c == 0 && l == 1 && m == 0 ? 1 : 0;
  });
  transform.synthesis(*alm, *map);
  facts.exact_map = error_of_exact_map(world, *map);
  // Negated comparison, so that NaN also fails.
  if (!(facts.round_trip <= kLimit && facts.exact_map <= kLimit))
    findings.push_back({Severity::kError, "arithmetic",
                        fmt::format("a round trip at lmax {} has a relative rms error of {:.2g} and the map of Y_10 an "
                                    "error of {:.2g} (limit {:.0g}): do not trust results from these nodes",
                                    kLmax, facts.round_trip, facts.exact_map, kLimit)});
  return facts;
}

}  // namespace armilla::doctor
