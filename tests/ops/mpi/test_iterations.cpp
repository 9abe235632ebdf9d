#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/transform/normal_analysis.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>
#include <omp.h>

namespace armilla::ops {
namespace {

using core::Index;
using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;

struct Case {
  std::string name;
  std::shared_ptr<const grid::RingGrid> grid;
  alm::AlmLayout layout;
};

std::shared_ptr<const grid::RingGrid> shared(grid::RingGrid grid) {
  return std::make_shared<grid::RingGrid>(std::move(grid));
}

// With and without aliases; also far more of them than any use, few rings, and rings that begin anywhere.
std::vector<Case> cases() {
  return {{"healpix 8", shared(grid::make_healpix(8)), {16, 16}},
          {"healpix 8, many aliases", shared(grid::make_healpix(8)), {23, 23}},
          {"healpix 6, more than pixels", shared(grid::make_healpix(6)), {40, 40}},
          {"healpix 16, mmax", shared(grid::make_healpix(16)), {47, 20}},
          {"healpix 2", shared(grid::make_healpix(2)), {5, 5}},
          {"gauss", shared(grid::make_gauss(12, 24)), {11, 11}},
          {"gauss, aliases, longitude", shared(grid::make_gauss(12, 9, 0.4)), {11, 11}}};
}

class Iterations : public testing::Test {
 protected:
  comm::Communicator world_ = comm::Communicator::world();
  comm::Communicator self_ = comm::Communicator::self();
};

template <class T>
void draw(MapField<T>& map) {
  test::fill_map(map, [](Index k, Index c, Index p) {
    return test::noise(7, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c));
  });
}

template <class T>
struct Found {
  Found(const comm::Communicator& comm, const FieldKind& kind, const Case& c, Index maps, Index all_maps = 0)
      : transform(comm, spec_of(kind, c, comm.size(), maps, all_maps)),
        map(kind, transform.spec().pixels, comm.rank(), maps),
        alm(kind, transform.spec().alm, comm.rank(), maps) {
    draw(map);
    test::poison(alm);
  }
  static transform::FieldTransformSpec spec_of(const FieldKind& kind, const Case& c, int ranks, Index maps,
                                               Index all_maps) {
    transform::FieldTransformSpec spec = test::make_spec(kind, c.grid, c.layout, ranks, maps);
    spec.all_maps = all_maps;
    return spec;
  }
  FieldTransform<T> transform;
  MapField<T> map;
  AlmField<T> alm;
};

// Enough for the normal matrix.
constexpr Index kCampaign = 1000;

std::vector<FieldKind> kinds() {
  return {FieldKind::scalar(), FieldKind::temperature_polarisation(), FieldKind::spin(1)};
}

// The definition, through pixels.
void by_pixels(Found<double>& f, Index iterations) {
  MapField<double> left(f.map.kind(), f.map.shared_distribution(), f.map.rank(), f.map.maps());
  AlmField<double> correction(f.alm.kind(), f.alm.shared_distribution(), f.alm.rank(), f.alm.maps());
  f.transform.quadrature(f.map, f.alm);
  for (Index i = 0; i < iterations; ++i) {
    f.transform.synthesis(f.alm, left);
    transform::combine(1.0, f.map, -1.0, left, f.transform.memory());
    f.transform.quadrature(left, correction);
    transform::combine(1.0, correction, 1.0, f.alm, f.transform.memory());
  }
}

TEST_F(Iterations, JacobiInSpectraIsThatThroughPixels) {
  for (const Case& c : cases())
    for (const FieldKind& kind : kinds()) {
      SCOPED_TRACE(c.name + ", " + kind.map_names().front());
      Found<double> spectra(world_, kind, c, 3), pixels(world_, kind, c, 3);
      analysis(spectra.transform, spectra.map, spectra.alm, {{}, Jacobi{2}});
      by_pixels(pixels, 2);
      for (const double error : relative_error(world_, spectra.alm, pixels.alm)) EXPECT_LT(error, 1e-13);
    }
}

TEST_F(Iterations, NormalIsSynthesisAndWeightedAdjoint) {
  for (const Case& c : cases())
    for (const FieldKind& kind : kinds()) {
      SCOPED_TRACE(c.name + ", " + kind.map_names().front());
      Found<double> f(world_, kind, c, 3), pixels(world_, kind, c, 3);
      std::vector<double> weight;
      for (const Index ring : f.transform.spec().pixels->local_rings(world_.rank()))
        weight.push_back(1 + 0.1 * std::sin(static_cast<double>(ring)));
      f.transform.quadrature(f.map, f.alm);
      f.transform.synthesis(f.alm, pixels.map);
      pixels.transform.quadrature(pixels.map, pixels.alm, weight);
      AlmField<double> normal(kind, f.transform.spec().alm, world_.rank(), 3);
      test::poison(normal);
      f.transform.normal(f.alm, weight, normal);
      for (const double error : relative_error(world_, normal, pixels.alm)) EXPECT_LT(error, 1e-13);
    }
}

// The cases whose rings mirror each other and turn aliases by 1 or -1.
bool has_normal_matrix(const Case& c) { return c.name != "gauss, aliases, longitude" && c.name != "mirrorless"; }

TEST_F(Iterations, JacobiByTheNormalMatrixIsThatThroughPixels) {
  std::vector<Case> all = cases();
  all.push_back({"gauss, aliases", shared(grid::make_gauss(24, 18)), {23, 23}});
  all.push_back({"healpix 32", shared(grid::make_healpix(32)), {95, 95}});
  all.push_back({"reduced gauss", shared(grid::make_reduced_gauss(24)), {23, 23}});
  all.push_back({"mirrorless", shared(grid::make_equiangular("mw", 16, 31)), {7, 7}});
  all.push_back({"equiangular", shared(grid::make_equiangular("f1", 17, 24)), {8, 6}});
  for (const Case& c : all)
    for (const FieldKind& kind :
         {FieldKind::scalar(), FieldKind::temperature_polarisation(), FieldKind::spin(1), FieldKind::spin(3)})
      for (const Index maps : {1, 3, 40}) {
        SCOPED_TRACE(c.name + ", " + kind.map_names().front() + ", maps " + std::to_string(maps));
        Found<double> campaign(world_, kind, c, maps, kCampaign), pixels(world_, kind, c, maps);
        EXPECT_EQ(transform::corrects_by_normal_matrix(campaign.transform.spec(), 2), has_normal_matrix(c));
        EXPECT_FALSE(transform::corrects_by_normal_matrix(pixels.transform.spec(), 2));
        analysis(campaign.transform, campaign.map, campaign.alm, {{}, Jacobi{2}});
        by_pixels(pixels, 2);
        for (const double error : relative_error(world_, campaign.alm, pixels.alm)) EXPECT_LT(error, 1e-13);
      }
}

TEST_F(Iterations, JacobiByTheNormalMatrixOfLowRankIsThatThroughPixels) {
  const Case c{"healpix 64", shared(grid::make_healpix(64)), {128, 128}};
  for (const FieldKind& kind : {FieldKind::temperature_polarisation(), FieldKind::spin(1)}) {
    Found<double> campaign(world_, kind, c, 3, kCampaign), pixels(world_, kind, c, 3);
    analysis(campaign.transform, campaign.map, campaign.alm, {{}, Jacobi{3}});
    by_pixels(pixels, 3);
    for (const double error : relative_error(world_, campaign.alm, pixels.alm)) EXPECT_LT(error, 1e-13);
  }
}

TEST_F(Iterations, TheNormalMatrixServesOtherWeights) {
  const Case c{"healpix 8", shared(grid::make_healpix(8)), {20, 20}};
  Found<double> campaign(world_, FieldKind::temperature_polarisation(), c, 3, kCampaign);
  Found<double> spectra(world_, FieldKind::temperature_polarisation(), c, 3);
  for (const WeightKind kind : {WeightKind::kGrid, WeightKind::kRing, WeightKind::kGrid}) {
    const AnalysisMethod method{{kind, {}}, Jacobi{3}};
    analysis(campaign.transform, campaign.map, campaign.alm, method);
    analysis(spectra.transform, spectra.map, spectra.alm, method);
    for (const double error : relative_error(world_, campaign.alm, spectra.alm)) EXPECT_LT(error, 1e-13);
  }
}

TEST_F(Iterations, TheNormalMatrixServesSinglePrecision) {
  const Case c{"healpix 8", shared(grid::make_healpix(8)), {23, 23}};
  Found<float> campaign(world_, FieldKind::temperature_polarisation(), c, 3, kCampaign);
  Found<float> spectra(world_, FieldKind::temperature_polarisation(), c, 3);
  analysis(campaign.transform, campaign.map, campaign.alm, {{}, Jacobi{2}});
  analysis(spectra.transform, spectra.map, spectra.alm, {{}, Jacobi{2}});
  for (const double error : relative_error(world_, campaign.alm, spectra.alm)) EXPECT_LT(error, 1e-6);
}

// The coefficients of own m, bit for bit, of a map of a batch on these ranks, and of that map alone on one rank.
template <class T>
void expect_same_bits(const AlmField<T>& all, Index map, const AlmField<T>& one) {
  const auto own_m = all.distribution().local_m(all.rank());
  const auto offsets = all.distribution().local_offsets(all.rank());
  const auto whole = one.distribution().local_offsets(0);
  for (Index c = 0; c < all.kind().components(); ++c)
    for (std::size_t k = 0; k < own_m.size(); ++k)
      for (Index l = own_m[k]; l <= all.distribution().layout().lmax(); ++l) {
        const auto a = all.component(map, c)[static_cast<std::size_t>(offsets[k] + l)];
        const auto b = one.component(0, c)[static_cast<std::size_t>(whole[static_cast<std::size_t>(own_m[k])] + l)];
        ASSERT_EQ(a, b) << "component " << c << ", l " << l << ", m " << own_m[k];
      }
}

template <class T>
void check_bits(const comm::Communicator& world, const comm::Communicator& self, const Solver& solver,
                Index all_maps = 0, Index maps = 5) {
  for (const Case& c : cases())
    for (const FieldKind& kind : kinds()) {
      SCOPED_TRACE(c.name + ", " + kind.map_names().front());
      // More threads than maps: m and rings are shared out in place of maps.
      for (const int threads : {1, 7}) {
        const int before = omp_get_max_threads();
        omp_set_num_threads(threads);
        Found<T> batch(world, kind, c, maps, all_maps);
        analysis(batch.transform, batch.map, batch.alm, {{}, solver});
        omp_set_num_threads(before);
        for (const Index map : {Index{0}, maps - 1}) {
          Found<T> one(self, kind, c, 1, all_maps);
          test::fill_map(one.map, [&](Index, Index component, Index p) {
            return test::noise(7, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * map + component));
          });
          analysis(one.transform, one.map, one.alm, {{}, solver});
          expect_same_bits(batch.alm, map, one.alm);
        }
      }
    }
}

TEST_F(Iterations, JacobiHasTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  check_bits<double>(world_, self_, Jacobi{2});
  check_bits<float>(world_, self_, Jacobi{1});
}

TEST_F(Iterations, TheNormalMatrixHasTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  check_bits<double>(world_, self_, Jacobi{2}, kCampaign);
  check_bits<double>(world_, self_, Jacobi{1}, kCampaign, 37);
  check_bits<float>(world_, self_, Jacobi{1}, kCampaign);
}

// Systems of more rows than are summed up at once, in panels of each width.
TEST_F(Iterations, TheNormalMatrixHasTheSameBitsInPanelsOfAnyWidth) {
  const Case c{"healpix 64", shared(grid::make_healpix(64)), {255, 6}};
  for (const FieldKind& kind : {FieldKind::scalar(), FieldKind::spin(2)}) {
    Found<double> one(self_, kind, c, 1, kCampaign);
    analysis(one.transform, one.map, one.alm, {{}, Jacobi{2}});
    for (const Index maps : {4, 7, 16, 33}) {
      SCOPED_TRACE(kind.map_names().front() + ", maps " + std::to_string(maps));
      Found<double> batch(self_, kind, c, maps, kCampaign);
      analysis(batch.transform, batch.map, batch.alm, {{}, Jacobi{2}});
      expect_same_bits(batch.alm, 0, one.alm);
    }
  }
}

TEST_F(Iterations, ImmediateHasTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  check_bits<double>(world_, self_, Immediate{2});
  check_bits<float>(world_, self_, Immediate{1});
}

// Rms of what is left of the maps, over that of the maps.
double left_of(const comm::Communicator& comm, Found<double>& f) {
  MapField<double> left(f.map.kind(), f.map.shared_distribution(), f.map.rank(), f.map.maps());
  f.transform.synthesis(f.alm, left);
  std::array<double, 2> sums{0, 0};
  for (std::size_t i = 0; i < left.data().size(); ++i) {
    sums[0] += std::pow(f.map.data()[i] - left.data()[i], 2);
    sums[1] += std::pow(f.map.data()[i], 2);
  }
  comm.sum(std::span<double>(sums));
  return std::sqrt(sums[0] / sums[1]);
}

// White noise up to lmax = 3 nside - 1 (fastSHT's figures 3 and 4), and where rings have no aliases, the same.
TEST_F(Iterations, ImmediateLeavesLessThanJacobi) {
  const Case many{"healpix 32", shared(grid::make_healpix(32)), {95, 95}};
  double before = 1;
  for (const Index iterations : {1, 3, 5}) {
    Found<double> jacobi(world_, FieldKind::scalar(), many, 1), immediate(world_, FieldKind::scalar(), many, 1);
    analysis(jacobi.transform, jacobi.map, jacobi.alm, {{}, Jacobi{iterations}});
    analysis(immediate.transform, immediate.map, immediate.alm, {{}, Immediate{iterations}});
    const double left = left_of(world_, immediate);
    EXPECT_LT(left, left_of(world_, jacobi)) << iterations << " iterations";
    EXPECT_LT(left, before);
    before = left;
  }
  const Case none{"gauss", shared(grid::make_gauss(32, 64)), {31, 31}};
  Found<double> jacobi(world_, FieldKind::scalar(), none, 1), immediate(world_, FieldKind::scalar(), none, 1);
  analysis(jacobi.transform, jacobi.map, jacobi.alm, {{}, Jacobi{2}});
  analysis(immediate.transform, immediate.map, immediate.alm, {{}, Immediate{2}});
  for (const double error : relative_error(world_, immediate.alm, jacobi.alm)) EXPECT_LT(error, 1e-14);
}

TEST_F(Iterations, ImmediateNeedsWeightsOfRings) {
  const Case c{"healpix 8", shared(grid::make_healpix(8)), {16, 16}};
  Found<double> f(world_, FieldKind::scalar(), c, 1);
  EXPECT_THROW(analysis(f.transform, f.map, f.alm, {{WeightKind::kPixel, {}}, Immediate{1}}), core::InputError);
}

}  // namespace
}  // namespace armilla::ops
