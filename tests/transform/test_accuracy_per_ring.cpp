// The fast engine against the reference engine, ring by ring, next to the poles and the equator included.
#include <armilla/grid/makers.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

constexpr double kTolerance = 2e-12;

using Complex = std::complex<double>;

using core::at;

struct RingCase {
  std::string name;
  std::shared_ptr<const grid::RingGrid> grid;
  Index spin, lmax;
};

std::vector<RingCase> ring_cases(Index lmax) {
  const auto gauss = std::make_shared<grid::RingGrid>(grid::make_gauss(lmax + 1, 1));
  const auto healpix = std::make_shared<grid::RingGrid>(grid::make_healpix((lmax + 1) / 2));
  std::vector<RingCase> cases;
  for (const Index spin : {0, 1, 2, 3}) cases.push_back({"gauss_spin" + std::to_string(spin), gauss, spin, lmax});
  for (const Index spin : {0, 2}) cases.push_back({"healpix_spin" + std::to_string(spin), healpix, spin, lmax});
  return cases;
}

// Rings of both hemispheres next to the poles, next to the equator, and between.
std::vector<Index> chosen_rings(Index rings) {
  std::vector<Index> chosen;
  for (const Index near : {0, 1, 2, 3, 6, 12, 30, 60}) chosen.push_back(near);
  for (Index i = 1; i < 12; ++i) chosen.push_back(i * rings / 24);
  for (const Index from_equator : {100, 30, 10, 5, 3, 2, 1}) chosen.push_back((rings - 1) / 2 - from_equator);
  chosen.push_back((rings - 1) / 2);
  const auto north = chosen.size();
  for (std::size_t i = 0; i < north; ++i)
    if (rings - 1 - chosen[i] != chosen[i]) chosen.push_back(rings - 1 - chosen[i]);
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

// Tables of one rank for these rings, with few pixels: only the Legendre stage is run.
FieldTransformSpec spec_of(const RingCase& one) {
  const grid::RingGrid& grid = *one.grid;
  std::vector<grid::Ring> rings;
  for (const Index i : chosen_rings(static_cast<Index>(grid.rings().size()))) {
    rings.push_back(grid.rings()[at(i)]);
    rings.back().nphi = 1;
  }
  FieldTransformSpec spec;
  spec.kind = one.spin == 0 ? FieldKind::scalar() : FieldKind::spin(one.spin);
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(one.lmax, one.lmax), 1);
  spec.pixels = std::make_shared<dist::PixelDistribution>(
      std::make_shared<grid::RingGrid>(grid::GridDescription{.kind = "rings", .file = "a subset"}, std::move(rings),
                                       false, grid::AnalysisLimits{}),
      1);
  return spec;
}

class AccuracyPerRing : public testing::TestWithParam<RingCase> {};

INSTANTIATE_TEST_SUITE_P(Cases, AccuracyPerRing, testing::ValuesIn(ring_cases(1023)),
                         [](const auto& parameter) { return parameter.param.name; });
INSTANTIATE_TEST_SUITE_P(Sweep, AccuracyPerRing, testing::ValuesIn(ring_cases(4095)),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(AccuracyPerRing, SynthesisIsWithinTheToleranceOnEveryRing) {
  const Index spin = GetParam().spin;
  const FieldTransformSpec spec = spec_of(GetParam());
  const SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
  std::mt19937_64 random(42);
  std::normal_distribution<double> normal;
  std::vector<Complex> alm(at(tables.alm_stride));
  for (Index c = 0; c < tables.spin_field.components; ++c)
    for (std::size_t k = 0; k < tables.own_m.size(); ++k)
      for (Index l = std::max(tables.own_m[k], spin); l <= GetParam().lmax; ++l) {
        const double re = normal(random);
        alm[at(c * tables.alm_size + tables.alm_offsets[k] + l)] = {re, tables.own_m[k] == 0 ? 0 : normal(random)};
      }
  std::vector<Complex> fast(at(tables.exchange.send_size));
  std::vector<Complex> exact(fast.size());
  legendre::make_engine<double>("fast", tables.legendre_task())->synthesis(alm.data(), fast.data(), {});
  legendre::make_engine<double>("reference", tables.legendre_task())->synthesis(alm.data(), exact.data(), {});

  const legendre::Task task = tables.legendre_task();
  const auto pairs = spec.pixels->grid().pairs();
  std::printf("%22s %12s %12s\n", "theta [rad]", "rms", "relative rms of the error");
  for (Index pair = 0; pair < task.pairs(); ++pair)
    for (const auto& [ring, slot] : {std::pair(pairs[at(pair)].north, task.north_slot[at(pair)]),
                                     std::pair(pairs[at(pair)].south, task.south_slot[at(pair)])}) {
      if (ring < 0) continue;
      double difference = 0;
      double norm = 0;
      for (std::size_t k = 0; k < tables.own_m.size(); ++k) {
        if (pair < task.first_pair[k]) continue;
        const double multiplicity = tables.own_m[k] == 0 ? 1 : 2;
        const Index begin = task.delta_position(static_cast<Index>(k), pair, slot);
        for (Index w = 0; w < task.width(); ++w) {
          difference += multiplicity * std::norm(fast[at(begin + w)] - exact[at(begin + w)]);
          norm += multiplicity * std::norm(exact[at(begin + w)]);
        }
      }
      const double relative = std::sqrt(difference / norm);
      std::printf("%22.17f %12.3g %12.3g\n", spec.pixels->grid().rings()[at(ring)].theta, std::sqrt(norm), relative);
      EXPECT_LE(relative, kTolerance) << "ring " << ring;
    }
}

}  // namespace
}  // namespace armilla::transform
