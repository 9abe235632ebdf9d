// Guarantees of the kernels of the fast engine: bitwise identical results in any batch, and results that agree between
// instruction sets.
#include <armilla/grid/makers.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "support/instruction_sets.hpp"
#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

using Complex = std::complex<double>;

constexpr Index kKernelLmax = 130;

FieldTransformSpec spec_of(Index spin, Index maps) {
  FieldTransformSpec spec;
  spec.kind = spin == 0 ? FieldKind::scalar() : FieldKind::spin(spin);
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(kKernelLmax, kKernelLmax), 1);
  spec.pixels =
      std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(grid::make_gauss(141, 280)), 1);
  spec.maps = maps;
  return spec;
}

// Both directions of one spin field for a number of maps, from the same random numbers for each map.
struct RoundTrip {
  RoundTrip(Index spin, Index maps, const legendre::KeptLimits& limits = legendre::KeptLimits::of_machine())
      : spec(spec_of(spin, maps)),
        tables(spec, spec.kind.spin_fields().front(), 0),
        alm(static_cast<std::size_t>(tables.alm_stride * maps)),
        delta(static_cast<std::size_t>(tables.exchange.send_size)),
        alm_back(alm.size()) {
    const auto engine = legendre::make_fast_engine<double>(tables.legendre_task(), limits);
    keeps_tables = engine->keeps_tables();
    for (Index map = 0; map < maps; ++map) fill(map);
    engine->synthesis(alm.data(), delta.data(), {});
    // Its own output makes a map that is as good as any other.
    engine->adjoint(delta.data(), alm_back.data(), {});
  }

  void fill(Index map) {
    std::mt19937_64 random(static_cast<std::uint64_t>(7 + map));
    std::normal_distribution<double> normal;
    for (Index c = 0; c < tables.spin_field.components; ++c)
      for (std::size_t k = 0; k < tables.own_m.size(); ++k)
        for (Index l = std::max(tables.own_m[k], tables.spin_field.spin); l <= kKernelLmax; ++l) {
          const double re = normal(random);
          const double im = normal(random);
          alm[position(map, c, k, l)] = {re, tables.own_m[k] == 0 ? 0.0 : im};
        }
  }
  std::size_t position(Index map, Index component, std::size_t k, Index l) const {
    return static_cast<std::size_t>(map * tables.alm_stride + component * tables.alm_size + tables.alm_offsets[k] + l);
  }
  // Delta of one component and map.
  std::vector<Complex> delta_of(Index component, Index map) const {
    std::vector<Complex> values;
    const Index width = tables.spin_field.components * tables.maps;
    for (std::size_t i = static_cast<std::size_t>(component * tables.maps + map); i < delta.size();
         i += static_cast<std::size_t>(width))
      values.push_back(delta[i]);
    return values;
  }

  FieldTransformSpec spec;
  SpinTables tables;
  std::vector<Complex> alm;
  std::vector<Complex> delta;
  std::vector<Complex> alm_back;
  bool keeps_tables = false;
};

bool same_bits(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Complex)) == 0;
}

double relative_rms(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(difference / norm);
}

TEST(LegendreKernels, AMapHasTheSameBitsInAnyBatch) {
  for (const Index spin : {0, 1, 2, 5}) {
    const RoundTrip alone(spin, 1);
    for (const Index maps : {2, 3, 4, 7}) {
      SCOPED_TRACE("spin " + std::to_string(spin) + ", maps " + std::to_string(maps));
      const RoundTrip batch(spin, maps);
      for (Index c = 0; c < alone.tables.spin_field.components; ++c)
        EXPECT_TRUE(same_bits(batch.delta_of(c, 0), alone.delta_of(c, 0)));
      EXPECT_EQ(0, std::memcmp(batch.alm_back.data(), alone.alm_back.data(), alone.alm_back.size() * sizeof(Complex)));
    }
  }
}

TEST(LegendreKernels, KeptTablesAndValuesDoNotChangeBits) {
  constexpr Index kAll = Index{1} << 30;
  for (const Index spin : {0, 1, 2, 3})
    for (const Index maps : {1, 2, 3, 5}) {
      SCOPED_TRACE("spin " + std::to_string(spin) + ", maps " + std::to_string(maps));
      const RoundTrip none(spin, maps, {0, 0});
      EXPECT_FALSE(none.keeps_tables);
      for (const Index values : {Index{0}, kAll}) {
        const RoundTrip kept(spin, maps, {kAll, values});
        EXPECT_TRUE(kept.keeps_tables);
        EXPECT_TRUE(same_bits(kept.delta, none.delta)) << values;
        EXPECT_TRUE(same_bits(kept.alm_back, none.alm_back)) << values;
      }
    }
}

TEST(LegendreKernels, InstructionSetsAgree) {
  for (const Index spin : {0, 2, 5}) {
    for (const Index maps : {1, 5}) {
      const RoundTrip best(spin, maps);
      int checked = 0;
      test::on_each_instruction_set([&](const char*) {
        SCOPED_TRACE("spin " + std::to_string(spin) + ", maps " + std::to_string(maps));
        const RoundTrip other(spin, maps);
        EXPECT_LE(relative_rms(other.delta, best.delta), 1e-13);
        EXPECT_LE(relative_rms(other.alm_back, best.alm_back), 1e-13);
        ++checked;
      });
      EXPECT_GE(checked, 1);
    }
  }
}

}  // namespace
}  // namespace armilla::transform
