#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <cstring>

#include "every_grid.hpp"
#include "round_trip.hpp"
#include "support/distance.hpp"
#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

using grid::RingGrid;
using test::make_spec;

// A rank may own nothing at all.
template <class T>
bool same_bits(std::span<T> a, std::span<T> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

class SameBits : public testing::TestWithParam<backend::ThetaResampling> {};
INSTANTIATE_TEST_SUITE_P(Resampling, SameBits, testing::ValuesIn(kOnAndOff),
                         [](const auto& parameter) { return std::string(name_of(parameter.param)); });

TEST_P(SameBits, OnAnyNumberOfRanks) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  for (const GridCase& c : every_grid()) {
    SCOPED_TRACE(c.name);
    const auto kind = FieldKind::temperature_polarisation();
    const alm::AlmLayout layout(33, 30);
    auto asked = make_spec(kind, c.grid, layout, comm.size(), 2);
    asked.options.theta_resampling = GetParam();
    asked.exchange_parts = 5;
    FieldTransform<double> together(comm, asked);
    asked = make_spec(kind, c.grid, layout, 1, 2);
    asked.options.theta_resampling = GetParam();
    FieldTransform<double> alone(self, asked);
    AlmField<double> alm(kind, together.spec().alm, comm.rank(), 2);
    AlmField<double> alm_alone(kind, alone.spec().alm, 0, 2);
    test::fill_noise(alm, 3);
    test::fill_noise(alm_alone, 3);
    MapField<double> map(kind, together.spec().pixels, comm.rank(), 2);
    MapField<double> map_alone(kind, alone.spec().pixels, 0, 2);
    test::poison(map);
    together.synthesis(alm, map);
    alone.synthesis(alm_alone, map_alone);
    const Index npix = c.grid->npix();
    MapField<double> expected(kind, together.spec().pixels, comm.rank(), 2);
    // The full map of one rank has northern pixels before southern ones, which is the order of the grid.
    ASSERT_EQ(alone.spec().pixels->local_pixels(0), npix);
    test::fill_map(expected, [&](Index m, Index component, Index pixel) {
      return map_alone.component(m, component)[static_cast<std::size_t>(pixel)];
    });
    EXPECT_TRUE(same_bits(map.data(), expected.data()));

    test::poison(alm);
    together.adjoint_synthesis(map, alm);
    alone.adjoint_synthesis(map_alone, alm_alone);
    AlmField<double> expected_alm(kind, together.spec().alm, comm.rank(), 2);
    test::fill_alm(expected_alm, [&](Index m, Index component, Index l, Index mm) {
      const auto own_m = alone.spec().alm->local_offsets(0);
      return alm_alone.component(m, component)[static_cast<std::size_t>(own_m[static_cast<std::size_t>(mm)] + l)];
    });
    EXPECT_TRUE(same_bits(alm.data(), expected_alm.data()));
  }
}

// The fast engine against its oracle: spins that go through the scalar kernel and those that do not, batches of any
// remainder modulo the fields of a register block, rings that need every branch of the recurrence.
void expect_equal_engines(Index nside, const alm::AlmLayout& layout,
                          const std::vector<std::pair<Index, Index>>& batches) {
  const auto comm = comm::Communicator::world();
  if (comm.size() > 1) return;  // engines know nothing of ranks
  const auto grid = std::make_shared<RingGrid>(grid::make_healpix(nside));
  for (const auto& [spin, maps] : batches) {
    SCOPED_TRACE("spin " + std::to_string(spin) + ", maps " + std::to_string(maps));
    auto spec = make_spec(test::kind_of_spin(spin), grid, layout, comm.size(), maps);
    spec.options.engine = "fast";
    FieldTransform<double> fast(comm, spec);
    spec.options.engine = "reference";
    FieldTransform<double> reference(comm, spec);
    AlmField<double> alm(spec.kind, spec.alm, comm.rank(), maps);
    AlmField<double> other(spec.kind, spec.alm, comm.rank(), maps);
    MapField<double> map(spec.kind, spec.pixels, comm.rank(), maps);
    MapField<double> expected(spec.kind, spec.pixels, comm.rank(), maps);
    test::fill_noise(alm, 17);
    test::poison(map);
    fast.synthesis(alm, map);
    reference.synthesis(alm, expected);
    // Roundings of lmax terms, and the 1e-14 that the division by sin^s may cost.
    EXPECT_LT(test::distance(comm, map, expected), 2e-13);
    test::poison(alm);
    fast.adjoint_synthesis(expected, alm);
    reference.adjoint_synthesis(expected, other);
    EXPECT_LT(test::distance(comm, alm, other), 2e-13);
  }
}

TEST(FieldTransform, EnginesAgree) {
  expect_equal_engines(32, {100, 99}, {{0, 1}, {0, 5}, {1, 1}, {2, 4}, {3, 2}, {30, 2}});
}

TEST(FieldTransformSweep, EnginesAgree) {
  expect_equal_engines(
      64, {150, 149},
      {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 11}, {1, 1}, {2, 1}, {2, 4}, {3, 2}, {4, 1}, {30, 2}});
}

TEST(FieldTransform, SinglePrecisionFollowsDouble) {
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<RingGrid>(grid::make_healpix(16));
  for (const auto resampling : kOnAndOff) {
    auto spec = make_spec(FieldKind::temperature_polarisation(), grid, alm::AlmLayout(32, 32), comm.size());
    spec.options.theta_resampling = resampling;
    FieldTransform<double> in_double(comm, spec);
    FieldTransform<float> in_float(comm, spec);
    AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1);
    AlmField<float> alm_float(spec.kind, spec.alm, comm.rank(), 1);
    MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
    MapField<float> map_float(spec.kind, spec.pixels, comm.rank(), 1);
    test::fill_noise(alm, 9);
    test::fill_noise(alm_float, 9);
    in_double.synthesis(alm, map);
    in_float.synthesis(alm_float, map_float);
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < map.data().size(); ++i) {
      sums[0] += std::pow(map.data()[i] - static_cast<double>(map_float.data()[i]), 2);
      sums[1] += std::pow(map.data()[i], 2);
    }
    comm.sum(sums);
    // A few roundings of 6e-8 each; and not zero, or both had run in one precision.
    EXPECT_LT(std::sqrt(sums[0] / sums[1]), 5e-7);
    EXPECT_GT(sums[0], 0);

    // The adjoint likewise; what it starts from is the same in both.
    MapField<double> rounded(spec.kind, spec.pixels, comm.rank(), 1);
    for (std::size_t i = 0; i < map.data().size(); ++i) rounded.data()[i] = map_float.data()[i];
    in_double.adjoint_synthesis(rounded, alm);
    in_float.adjoint_synthesis(map_float, alm_float);
    double alm_sums[2] = {0, 0};
    for (std::size_t i = 0; i < alm.data().size(); ++i) {
      alm_sums[0] += std::norm(alm.data()[i] - std::complex<double>(alm_float.data()[i]));
      alm_sums[1] += std::norm(alm.data()[i]);
    }
    comm.sum(alm_sums);
    EXPECT_LT(std::sqrt(alm_sums[0] / alm_sums[1]), 5e-7);
    EXPECT_GT(alm_sums[0], 0);
  }
}

}  // namespace
}  // namespace armilla::transform

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
