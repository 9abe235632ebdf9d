#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/field_transform.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/distance.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>
#include <omp.h>

namespace armilla::transform {
namespace {

using backend::ThetaResampling;
using grid::RingGrid;

FieldTransformSpec spec_of(const std::shared_ptr<const RingGrid>& grid, Index spin, alm::AlmLayout layout, int ranks,
                           backend::Options options, Index maps = 1) {
  auto spec = test::make_spec(test::kind_of_spin(spin), grid, layout, ranks, maps);
  spec.options = std::move(options);
  return spec;
}

// Of each own ring and component: rms difference over the rms of the ring.
double worst_ring(const MapField<double>& found, const MapField<double>& exact) {
  const auto& pixels = exact.distribution();
  const auto rings = pixels.local_rings(exact.rank());
  const auto begin = pixels.local_ring_pixels(exact.rank());
  double worst = 0;
  for (Index c = 0; c < exact.kind().components(); ++c)
    for (std::size_t r = 0; r < rings.size(); ++r) {
      double difference = 0;
      double square = 0;
      const Index nphi = pixels.grid().rings()[static_cast<std::size_t>(rings[r])].nphi;
      for (Index i = begin[r]; i < begin[r] + nphi; ++i) {
        const double truth = exact.component(0, c)[static_cast<std::size_t>(i)];
        const double value = found.component(0, c)[static_cast<std::size_t>(i)];
        difference += std::isfinite(value) ? std::pow(value - truth, 2) : INFINITY;
        square += truth * truth;
      }
      worst = std::max(worst, std::sqrt(difference / square));
    }
  return worst;
}

// Degrees high enough for the polar cut, which trims source and target alike; every ring counts, those next to the
// poles and the equator too. Largest where targets are fewer than sources.
void expect_reference_on_every_ring(Index nside, const alm::AlmLayout& layout, const std::vector<Index>& spins) {
  const auto comm = comm::Communicator::world();
  if (comm.size() > 1) return;  // resampling knows nothing of ranks
  const auto grid = std::make_shared<RingGrid>(grid::make_healpix(nside));
  for (const Index spin : spins) {
    SCOPED_TRACE("nside " + std::to_string(nside) + ", spin " + std::to_string(spin));
    FieldTransform<double> resampled(comm, spec_of(grid, spin, layout, comm.size(), {"fast", ThetaResampling::kOn}));
    FieldTransform<double> reference(comm,
                                     spec_of(grid, spin, layout, comm.size(), {"reference", ThetaResampling::kOff}));
    const auto& spec = reference.spec();
    AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1);
    AlmField<double> other(spec.kind, spec.alm, comm.rank(), 1);
    MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
    MapField<double> exact(spec.kind, spec.pixels, comm.rank(), 1);
    test::fill_noise(alm, 41);
    test::poison(map);
    resampled.synthesis(alm, map);
    reference.synthesis(alm, exact);
    // The kernel leaves 1e-13, roundings of lmax terms and of theta as much.
    EXPECT_LT(worst_ring(map, exact), 1e-12);
    test::poison(alm);
    resampled.adjoint_synthesis(exact, alm);
    reference.adjoint_synthesis(exact, other);
    EXPECT_LT(test::distance(comm, alm, other), 1e-12);
  }
}

TEST(ThetaResampling, AgreesWithTheReferenceOnEveryRing) {
  expect_reference_on_every_ring(64, {127, 127}, {0});
  expect_reference_on_every_ring(32, {191, 150}, {0, 1, 2, 3, 5});
  expect_reference_on_every_ring(16, {127, 127}, {2});
}

TEST(ThetaResamplingSweep, AgreesWithTheReferenceOnEveryRing) {
  expect_reference_on_every_ring(256, {511, 511}, {0, 2});
  expect_reference_on_every_ring(128, {383, 300}, {0, 1, 2, 3, 5});
  expect_reference_on_every_ring(64, {511, 511}, {0, 2});
}

TEST(ThetaResampling, SaysWhetherItIsInUse) {
  const auto healpix = std::make_shared<RingGrid>(grid::make_healpix(1024));
  const alm::AlmLayout layout(1023, 1023);
  const auto automatic = spec_of(healpix, 0, layout, 1, {});
  EXPECT_TRUE(automatic.resampled());
  EXPECT_EQ(automatic.grid_pairs(), 2048);
  EXPECT_EQ(automatic.legendre_pairs(), 512);
  const auto off = spec_of(healpix, 0, layout, 1, {.theta_resampling = ThetaResampling::kOff});
  EXPECT_FALSE(off.resampled());
  EXPECT_EQ(off.legendre_pairs(), 2048);
  EXPECT_FALSE(spec_of(healpix, 0, layout, 1, {.engine = "reference"}).resampled()) << "the reference stays plain";
  // Apart from the engine, which has fewer pairs.
  const auto bytes = [](const FieldTransformSpec& spec) {
    return FieldTransform<double>::memory(spec, 0).peak() -
           legendre::Engine<double>::memory(1023, 0, spec.legendre_pairs(), 1).peak();
  };
  EXPECT_GT(bytes(automatic), bytes(off) + 2048 * 16 * 8);
}

template <class Field>
bool same_map(const Field& batch, Index map, const Field& one) {
  for (Index c = 0; c < one.kind().components(); ++c) {
    const auto a = batch.component(map, c);
    const auto b = one.component(0, c);
    if (!std::equal(a.begin(), a.end(), b.begin(), b.end())) return false;
  }
  return true;
}

TEST(ThetaResampling, HasTheSameBitsInAnyBatchAndOnAnyThreads) {
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<RingGrid>(grid::make_healpix(64));
  const alm::AlmLayout layout(150, 150);
  const backend::Options options{.theta_resampling = ThetaResampling::kOn};
  const int threads = omp_get_max_threads();
  for (const Index spin : {0, 2}) {
    FieldTransform<double> three(comm, spec_of(grid, spin, layout, comm.size(), options, 3));
    FieldTransform<double> one(comm, spec_of(grid, spin, layout, comm.size(), options));
    AlmField<double> alms(three.spec().kind, three.spec().alm, comm.rank(), 3);
    MapField<double> maps(three.spec().kind, three.spec().pixels, comm.rank(), 3);
    AlmField<double> alm(one.spec().kind, one.spec().alm, comm.rank(), 1);
    MapField<double> map(one.spec().kind, one.spec().pixels, comm.rank(), 1);
    test::fill_noise(alms, 6);
    for (Index c = 0; c < alm.kind().components(); ++c)
      std::ranges::copy(alms.component(1, c), alm.component(0, c).begin());
    three.synthesis(alms, maps);
    omp_set_num_threads(threads == 1 ? 3 : 1);
    one.synthesis(alm, map);
    EXPECT_TRUE(same_map(maps, 1, map)) << "spin " << spin;
    one.adjoint_synthesis(map, alm);
    omp_set_num_threads(threads);
    three.adjoint_synthesis(maps, alms);
    EXPECT_TRUE(same_map(alms, 1, alm)) << "spin " << spin;
  }
}

}  // namespace
}  // namespace armilla::transform
