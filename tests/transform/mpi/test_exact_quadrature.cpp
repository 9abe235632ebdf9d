#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <cmath>
#include <cstring>
#include <vector>

#include "round_trip.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

using grid::RingGrid;

struct Rule {
  const char* name;
  Index extra;  ///< rings beyond lmax + 1
};
constexpr Rule kRules[] = {{"cc", 1}, {"f1", 0}, {"f2", 0}, {"mw", 0}, {"mwflip", 0}, {"dh", 0}};

// As few rings and pixels as carry lmax.
std::shared_ptr<const RingGrid> min_grid(const Rule& rule, Index lmax, Index nphi, double phi0 = 0) {
  return std::make_shared<RingGrid>(grid::make_equiangular(rule.name, lmax + 1 + rule.extra, nphi, phi0));
}

void expect_round_trips_on_least_rings(const Rule& rule, Index lmax, const std::vector<Index>& spins) {
  const auto comm = comm::Communicator::world();
  const auto grid = min_grid(rule, lmax, 2 * lmax + 1);
  ASSERT_EQ(grid->analysis_lmax(), lmax) << rule.name;
  ASSERT_TRUE(grid->needs_theta_quadrature(lmax));
  for (const Index spin : spins) {
    const auto spec = test::make_spec(test::kind_of_spin(spin), grid, alm::AlmLayout(lmax, lmax), comm.size());
    EXPECT_LT(round_trip_error(comm, spec), 1e-12) << rule.name << ", spin " << spin;
  }
}

// Two spins for each rule.
TEST(ExactQuadrature, RoundTripsOnTheLeastRingsOfEveryRule) {
  constexpr Index kSpins[] = {0, 1, 2, 3, 10, 100};
  for (std::size_t i = 0; i < std::size(kRules); ++i)
    expect_round_trips_on_least_rings(kRules[i], 127, {kSpins[i], kSpins[(i + 2) % std::size(kSpins)]});
}

TEST(ExactQuadratureSweep, RoundTripsOnTheLeastRingsOfEveryRule) {
  for (const Rule& rule : kRules) expect_round_trips_on_least_rings(rule, 511, {0, 1, 2, 3, 10, 100});
}

// Every `stride`-th combination: a stride that divides no number of values meets each of them.
void expect_round_trips_either_way(int stride) {
  const auto comm = comm::Communicator::world();
  int number = 0;
  for (const Rule& rule : kRules)
    for (const char* engine : {"fast", "reference"})
      for (const auto resampling : kOnAndOff)
        for (const Index lmax : {Index{1}, Index{2}, Index{3}, Index{6}, Index{40}})
          for (const Index spin : {Index{0}, Index{1}, Index{2}, Index{10}}) {
            if (number++ % stride != 0 || spin > lmax) continue;
            // Odd and even numbers of pixels, from phi0 on, fewer m than l, two maps.
            const Index mmax = lmax > 7 ? lmax - spin : lmax;
            const auto grid = min_grid(rule, lmax, 2 * mmax + 1 + spin % 2, 0.3);
            auto spec =
                test::make_spec(test::kind_of_spin(spin), grid, alm::AlmLayout(lmax, mmax), comm.size(), 1 + lmax % 2);
            spec.options = {.engine = engine, .theta_resampling = resampling};
            EXPECT_LT(round_trip_error(comm, spec), 1e-12)
                << rule.name << ", " << engine << ", resampling " << name_of(resampling) << ", lmax " << lmax
                << ", spin " << spin;
          }
}

TEST(ExactQuadrature, RoundTripsWithEitherEngineResampledOrNot) { expect_round_trips_either_way(7); }
TEST(ExactQuadratureSweep, RoundTripsWithEitherEngineResampledOrNot) { expect_round_trips_either_way(1); }

// lmax below what the rings carry.
TEST(ExactQuadrature, RoundTripsOnMoreRingsThanItTakes) {
  const auto comm = comm::Communicator::world();
  for (const Rule& rule : kRules)
    for (const auto resampling : kOnAndOff)
      for (const Index lmax : {Index{0}, Index{1}, Index{12}, Index{13}, Index{17}, Index{24}}) {
        const auto grid = min_grid(rule, 25, 51);
        EXPECT_TRUE(grid->needs_theta_quadrature(lmax));
        auto spec = test::make_spec(FieldKind::scalar(), grid, alm::AlmLayout(lmax, lmax), comm.size());
        spec.options.theta_resampling = resampling;
        EXPECT_LT(round_trip_error(comm, spec), 1e-12) << rule.name << ", lmax " << lmax;
      }
}

TEST(ExactQuadrature, RoundTripsInSinglePrecision) {
  const auto comm = comm::Communicator::world();
  for (const Rule& rule : kRules)
    for (const auto resampling : kOnAndOff) {
      auto spec =
          test::make_spec(FieldKind::polarisation(), min_grid(rule, 40, 81), alm::AlmLayout(40, 40), comm.size());
      spec.options.theta_resampling = resampling;
      const double error = round_trip_error<float>(comm, spec);
      // A few roundings of 6e-8 each.
      EXPECT_LT(error, 1e-6) << rule.name;
      EXPECT_GT(error, 0);
    }
}

TEST(ExactQuadrature, HasTheSameBitsOnAnyNumberOfRanks) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  const auto kind = FieldKind::temperature_polarisation();
  int number = 0;
  for (const Rule& rule : kRules)
    for (const auto resampling : kOnAndOff) {
      // On the least rings, or truncated.
      const alm::AlmLayout layout(number++ % 3 == 0 ? 20 : 33, 19);
      SCOPED_TRACE(std::string(rule.name) + ", resampling " + name_of(resampling));
      const auto grid = min_grid(rule, 33, 64, 0.1);
      auto asked = test::make_spec(kind, grid, layout, comm.size(), 2);
      asked.options.theta_resampling = resampling;
      FieldTransform<double> together(comm, asked);
      asked = test::make_spec(kind, grid, layout, 1, 2);
      asked.options.theta_resampling = resampling;
      FieldTransform<double> alone(self, asked);
      MapField<double> map(kind, together.spec().pixels, comm.rank(), 2);
      MapField<double> map_alone(kind, alone.spec().pixels, 0, 2);
      const auto value = [](Index m, Index component, Index pixel) {
        return test::noise(6, static_cast<std::uint64_t>(pixel), static_cast<std::uint64_t>(3 * m + component));
      };
      test::fill_map(map, value);
      test::fill_map(map_alone, value);
      AlmField<double> alm(kind, together.spec().alm, comm.rank(), 2);
      AlmField<double> alm_alone(kind, alone.spec().alm, 0, 2);
      AlmField<double> expected(kind, together.spec().alm, comm.rank(), 2);
      test::poison(alm);
      together.quadrature(map, alm);
      alone.quadrature(map_alone, alm_alone);
      const auto offsets = alone.spec().alm->local_offsets(0);
      test::fill_alm(expected, [&](Index m, Index component, Index l, Index mm) {
        return alm_alone.component(m, component)[static_cast<std::size_t>(offsets[static_cast<std::size_t>(mm)] + l)];
      });
      EXPECT_TRUE(alm.data().empty() ||
                  std::memcmp(alm.data().data(), expected.data().data(), alm.data().size_bytes()) == 0);
    }
}

// Tables and buffers of the quadrature are announced, and are small.
TEST(ExactQuadrature, CountsItsMemory) {
  for (const auto resampling : kOnAndOff)
    for (const Index lmax : {64, 128, 255}) {
      const auto bytes = [&](const RingGrid& grid) {
        auto spec =
            test::make_spec(FieldKind::scalar(), std::make_shared<RingGrid>(grid), alm::AlmLayout(lmax, lmax), 1);
        spec.options.theta_resampling = resampling;
        return FieldTransform<double>::memory(spec, 0).peak();
      };
      // Two buffers of the product: at least as many complex numbers as both degrees add up to.
      const Index more = bytes(grid::make_equiangular("f1", 256, 511, 0)) - bytes(grid::make_gauss(256, 511));
      EXPECT_GT(more, 2 * (lmax + 256) * 16);
      EXPECT_LT(more, 1 << 20);
    }
}

double dot(std::span<const std::complex<double>> a, std::span<const std::complex<double>> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].real() * b[i].real() + a[i].imag() * b[i].imag();
  return sum;
}

// Delta -> alm against alm -> Delta, with the tables of any rank of several.
void expect_transposed_legendre_stages(int stride) {
  if (comm::Communicator::world().size() > 1) return;  // tables of several ranks are made on one
  int number = 0;
  for (const Rule& rule : kRules)
    for (const char* engine : {"fast", "reference"})
      for (const auto resampling : kOnAndOff)
        for (const Index spin : {0, 1, 2, 10})
          for (const auto& [ranks, rank] : {std::pair{1, 0}, {3, 0}, {3, 2}}) {
            if (number++ % stride != 0) continue;
            SCOPED_TRACE(std::string(rule.name) + ", " + engine + ", resampling " + name_of(resampling) + ", spin " +
                         std::to_string(spin));
            const auto grid = min_grid(rule, 45, 91);
            const Index lmax = number % 2 == 0 ? 45 : 27;
            auto spec = test::make_spec(test::kind_of_spin(spin), grid, alm::AlmLayout(lmax, lmax - 1), ranks, 2);
            spec.options = {.engine = engine, .theta_resampling = resampling};
            const SpinTables tables(spec, spec.kind.spin_fields().front(), rank);
            const auto context = backend::make_context<double>(backend::Kind::kCpu, {});
            const auto backend = context->make_stages(spec.options, tables.legendre_task(), tables.ring_task(), {},
                                                      grid->analysis_limits().circle);
            AlmField<double> x(spec.kind, spec.alm, rank, 2);
            AlmField<double> ad(spec.kind, spec.alm, rank, 2);
            test::fill_noise(x, 41);
            test::poison(ad);
            const auto size = static_cast<std::size_t>(tables.exchange.send_size);
            std::vector<std::complex<double>> d(size);
            std::vector<std::complex<double>> work(size);
            for (std::size_t i = 0; i < size; ++i) d[i] = {test::noise(42, i), test::noise(43, i)};
            // Delta of m = 0 is real.
            if (tables.own_m.front() == 0)
              for (Index pair = tables.exchange.first_pair.front(); pair < spec.grid_pairs(); ++pair)
                for (const auto& slots : {tables.exchange.north_slot, tables.exchange.south_slot})
                  for (Index w = 0; w < tables.exchange.width; ++w)
                    if (const Index slot = slots[static_cast<std::size_t>(pair)]; slot >= 0)
                      d[static_cast<std::size_t>(tables.legendre_task().delta_position(0, pair, slot) + w)].imag(0);
            std::fill(work.begin(), work.end(), std::complex<double>(NAN, NAN));
            backend->legendre_adjoint_analysis(x.data().data(), work.data(), {});
            const double left = dot(work, d);
            const double scale = std::sqrt(dot(work, work) * dot(d, d));
            work = d;
            backend->legendre_analysis(work.data(), ad.data().data(), {});
            EXPECT_NEAR(left, dot(x.data(), ad.data()), 1e-13 * scale);
            EXPECT_GT(scale, 0);
          }
}

TEST(ExactQuadrature, TheLegendreStageHasItsTranspose) { expect_transposed_legendre_stages(7); }
TEST(ExactQuadratureSweep, TheLegendreStageHasItsTranspose) { expect_transposed_legendre_stages(1); }

}  // namespace
}  // namespace armilla::transform
