// The schemes of iterated analysis against its definition, and their bits.
#include <armilla/core/error.hpp>
#include <armilla/iteration/ring_modes.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>
#include <support/distance.hpp>
#include <support/iteration_case.hpp>
#include <support/mpi_main.hpp>

namespace armilla::iteration {
namespace {

using test::draw;
using test::expect_same_bits;
using test::Iterated;
using test::shared;
using transform::FieldKind;
using Case = test::IterationCase;

constexpr bool kCampaign = true;

IterationSpec jacobi(Index count, std::optional<Scheme> scheme = {}) { return {Order::kJacobi, count, true, scheme}; }
IterationSpec immediate(Index count) { return {Order::kImmediate, count, true, {}}; }

class Iterations : public testing::Test {
 protected:
  comm::Communicator world_ = comm::Communicator::world();
  comm::Communicator self_ = comm::Communicator::self();

  void expect_normal_matrix_as_through_pixels(int stride);
};
class IterationsSweep : public Iterations {};

template <class T>
struct Found : Iterated<T> {
  Found(const comm::Communicator& comm, const FieldKind& kind, const Case& c, Index maps, bool campaign = false,
        Index first = 0)
      : Iterated<T>(comm, spec_of(kind, c, comm.size(), maps, campaign), first) {}
  static FieldTransformSpec spec_of(const FieldKind& kind, const Case& c, int ranks, Index maps, bool campaign) {
    FieldTransformSpec spec = test::make_spec(kind, c.grid, c.layout, ranks, maps);
    spec.campaign = campaign;
    return spec;
  }
};

std::vector<FieldKind> kinds() {
  return {FieldKind::scalar(), FieldKind::temperature_polarisation(), FieldKind::spin(1)};
}

// The definition, through pixels.
void by_pixels(Found<double>& f, Index iterations) {
  MapField<double> left(f.map.kind(), f.map.shared_distribution(), f.map.rank(), f.map.maps());
  AlmField<double> correction(f.alm.kind(), f.alm.shared_distribution(), f.alm.rank(), f.alm.maps());
  f.analyse_once(f.map, f.alm);
  for (Index i = 0; i < iterations; ++i) {
    f.transform.synthesis(f.alm, left);
    transform::combine(1.0, f.map, -1.0, left, f.transform.memory());
    f.analyse_once(left, correction);
    transform::combine(1.0, correction, 1.0, f.alm, f.transform.memory());
  }
}

TEST_F(Iterations, JacobiByRingModesIsThatThroughPixels) {
  for (const Case& c : test::iteration_cases())
    for (const FieldKind& kind : kinds()) {
      SCOPED_TRACE(c.name + ", " + kind.map_names().front());
      Found<double> rings(world_, kind, c, 3), pixels(world_, kind, c, 3);
      rings.analyse(jacobi(2));
      by_pixels(pixels, 2);
      EXPECT_LT(test::distance(world_, rings.alm, pixels.alm), 1e-13);
    }
}

TEST_F(Iterations, NormalIsSynthesisAndWeightedAdjoint) {
  for (const Case& c : test::iteration_cases())
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
      RingNormal<double>(f.transform.delta()).apply(f.alm, weight, normal);
      EXPECT_LT(test::distance(world_, normal, pixels.alm), 1e-13);
    }
}

// The cases whose rings mirror each other and turn aliases by 1 or -1.
bool has_normal_matrix(const Case& c) { return c.name != "gauss, aliases, longitude" && c.name != "mirrorless"; }

// Every `stride`-th combination; a stride that divides no number of values meets each of them.
void Iterations::expect_normal_matrix_as_through_pixels(int stride) {
  std::vector<Case> all = test::iteration_cases();
  all.push_back({"gauss, aliases", shared(grid::make_gauss(24, 18)), {23, 23}});
  all.push_back({"healpix 32", shared(grid::make_healpix(32)), {95, 95}});
  all.push_back({"reduced gauss", shared(grid::make_reduced_gauss(24)), {23, 23}});
  all.push_back({"mirrorless", shared(grid::make_equiangular("mw", 16, 31)), {7, 7}});
  all.push_back({"equiangular", shared(grid::make_equiangular("f1", 17, 24)), {8, 6}});
  int number = 0;
  for (const Case& c : all)
    for (const FieldKind& kind :
         {FieldKind::scalar(), FieldKind::temperature_polarisation(), FieldKind::spin(1), FieldKind::spin(3)})
      for (const Index maps : {1, 3, 40}) {
        if (number++ % stride != 0) continue;
        SCOPED_TRACE(c.name + ", " + kind.map_names().front() + ", maps " + std::to_string(maps));
        Found<double> campaign(world_, kind, c, maps, kCampaign), pixels(world_, kind, c, maps);
        EXPECT_EQ(choose_scheme(campaign.transform.spec(), jacobi(2)),
                  has_normal_matrix(c) ? Scheme::kNormalMatrix : Scheme::kPixel);
        campaign.analyse(has_normal_matrix(c) ? jacobi(2) : jacobi(2, Scheme::kRing));
        by_pixels(pixels, 2);
        EXPECT_LT(test::distance(world_, campaign.alm, pixels.alm), 1e-13);
      }
}

TEST_F(Iterations, JacobiByTheNormalMatrixIsThatThroughPixels) { expect_normal_matrix_as_through_pixels(7); }
TEST_F(IterationsSweep, JacobiByTheNormalMatrixIsThatThroughPixels) { expect_normal_matrix_as_through_pixels(1); }

TEST_F(Iterations, JacobiByTheNormalMatrixOfLowRankIsThatThroughPixels) {
  const Case c{"healpix 64", shared(grid::make_healpix(64)), {128, 128}};
  for (const FieldKind& kind : {FieldKind::temperature_polarisation(), FieldKind::spin(1)}) {
    Found<double> campaign(world_, kind, c, 3, kCampaign), pixels(world_, kind, c, 3);
    campaign.analyse(jacobi(3));
    by_pixels(pixels, 3);
    EXPECT_LT(test::distance(world_, campaign.alm, pixels.alm), 1e-13);
  }
}

TEST_F(Iterations, TheNormalMatrixServesSinglePrecision) {
  const Case c{"healpix 8", shared(grid::make_healpix(8)), {23, 23}};
  Found<float> campaign(world_, FieldKind::temperature_polarisation(), c, 3, kCampaign);
  Found<float> rings(world_, FieldKind::temperature_polarisation(), c, 3);
  campaign.analyse(jacobi(2));
  rings.analyse(jacobi(2));
  EXPECT_LT(test::distance(world_, campaign.alm, rings.alm), 1e-6);
}

/// Which combinations of grids and kinds of fields.
enum class Extent { kSome, kAll };

template <class T>
void check_bits(const comm::Communicator& world, const comm::Communicator& self, Extent extent,
                const IterationSpec& corrections, bool campaign = false, Index maps = 5) {
  int number = 0;
  for (const Case& c : test::iteration_cases())
    for (const FieldKind& kind : kinds()) {
      if (extent == Extent::kSome && number++ % 2 != 0) continue;
      SCOPED_TRACE(c.name + ", " + kind.map_names().front());
      // More threads than maps: m and rings are shared out in place of maps.
      for (const int threads : {1, 7}) {
        if (extent == Extent::kSome && world.size() > 1 && threads > 1) continue;
        const int before = omp_get_max_threads();
        omp_set_num_threads(threads);
        Found<T> batch(world, kind, c, maps, campaign);
        const auto iteration = batch.make(corrections);
        iteration->analyse(batch.map, corrections.count, batch.alm);
        iteration->analyse(batch.map, corrections.count, batch.alm);  // by what the first call has kept
        omp_set_num_threads(before);
        for (const Index map : {Index{0}, maps - 1}) {
          Found<T> one(self, kind, c, 1, campaign, map);
          one.analyse(corrections);
          expect_same_bits(batch.alm, map, one.alm);
        }
      }
    }
}

TEST_F(Iterations, JacobiHasTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  check_bits<double>(world_, self_, Extent::kSome, jacobi(2));
  check_bits<float>(world_, self_, Extent::kSome, jacobi(1));
}

TEST_F(Iterations, TheNormalMatrixHasTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  check_bits<double>(world_, self_, Extent::kSome, jacobi(2), kCampaign);
  check_bits<float>(world_, self_, Extent::kSome, jacobi(1), kCampaign, 37);
}

TEST_F(Iterations, ImmediateHasTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  check_bits<double>(world_, self_, Extent::kSome, immediate(2));
  check_bits<float>(world_, self_, Extent::kSome, immediate(1));
}

TEST_F(IterationsSweep, HaveTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  for (const IterationSpec& corrections : {jacobi(2), immediate(2)}) {
    check_bits<double>(world_, self_, Extent::kAll, corrections);
    check_bits<float>(world_, self_, Extent::kAll, corrections);
  }
  check_bits<double>(world_, self_, Extent::kAll, jacobi(2), kCampaign);
  check_bits<double>(world_, self_, Extent::kAll, jacobi(1), kCampaign, 37);
  check_bits<float>(world_, self_, Extent::kAll, jacobi(1), kCampaign);
}

// Systems of more rows than are summed up at once, in panels of each width.
TEST_F(Iterations, TheNormalMatrixHasTheSameBitsInPanelsOfAnyWidth) {
  const Case c{"healpix 64", shared(grid::make_healpix(64)), {255, 6}};
  for (const FieldKind& kind : {FieldKind::scalar(), FieldKind::spin(2)}) {
    Found<double> one(self_, kind, c, 1, kCampaign);
    one.analyse(jacobi(2));
    for (const Index maps : {4, 7, 16, 33}) {
      SCOPED_TRACE(kind.map_names().front() + ", maps " + std::to_string(maps));
      Found<double> batch(self_, kind, c, maps, kCampaign);
      batch.analyse(jacobi(2));
      expect_same_bits(batch.alm, 0, one.alm);
    }
  }
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
    Found<double> late(world_, FieldKind::scalar(), many, 1), at_once(world_, FieldKind::scalar(), many, 1);
    late.analyse(jacobi(iterations));
    at_once.analyse(immediate(iterations));
    const double left = left_of(world_, at_once);
    EXPECT_LT(left, left_of(world_, late)) << iterations << " iterations";
    EXPECT_LT(left, before);
    before = left;
  }
  const Case none{"gauss", shared(grid::make_gauss(32, 64)), {31, 31}};
  Found<double> late(world_, FieldKind::scalar(), none, 1), at_once(world_, FieldKind::scalar(), none, 1);
  late.analyse(jacobi(2));
  at_once.analyse(immediate(2));
  EXPECT_LT(test::distance(world_, at_once.alm, late.alm), 1e-14);
}

// Rings that mirror each other, but for weights that differ in a last bit.
TEST_F(Iterations, RingsWithOtherWeightsThanTheirMirrorsHaveNoNormalMatrix) {
  const grid::RingGrid gauss = grid::make_gauss(12, 24);
  std::vector<grid::Ring> rings(gauss.rings().begin(), gauss.rings().end());
  rings[2].weight *= 1 + 1e-15;
  const auto grid = std::make_shared<grid::RingGrid>(gauss.description(), rings, true, gauss.analysis_limits());
  const Case c{"asymmetric", grid, {11, 11}};
  Found<double> campaign(world_, FieldKind::scalar(), c, 3, kCampaign), pixels(world_, FieldKind::scalar(), c, 3);
  EXPECT_EQ(choose_scheme(campaign.transform.spec(), jacobi(2)), Scheme::kPixel);
  campaign.analyse(jacobi(2, Scheme::kRing));
  by_pixels(pixels, 2);
  EXPECT_LT(test::distance(world_, campaign.alm, pixels.alm), 1e-13);
}

TEST_F(Iterations, SchemesThatCannotBeHadAreRefusedWithTheReason) {
  const Case c{"healpix 8", shared(grid::make_healpix(8)), {16, 16}};
  const FieldTransformSpec spec = Found<double>::spec_of(FieldKind::scalar(), c, 1, 1, false);
  EXPECT_EQ(choose_scheme(spec, jacobi(2)), Scheme::kPixel);
  EXPECT_EQ(choose_scheme(spec, jacobi(0)), Scheme::kPixel);
  EXPECT_EQ(choose_scheme(spec, immediate(2)), Scheme::kRing);
  for (const Scheme scheme : {Scheme::kPixel, Scheme::kRing, Scheme::kNormalMatrix})
    EXPECT_EQ(choose_scheme(spec, jacobi(2, scheme)), scheme);
  IterationSpec other = jacobi(2, Scheme::kRing);
  other.ring_weights = false;
  const auto refused = [](const FieldTransformSpec& of, const IterationSpec& corrections, const std::string& why) {
    try {
      choose_scheme(of, corrections);
      FAIL() << why;
    } catch (const core::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused(spec, other, "scheme 'ring' is not available: it requires one weight per ring");
  IterationSpec pixels = immediate(2);
  pixels.scheme = Scheme::kPixel;
  refused(spec, pixels, "scheme 'pixel' is not available: the immediate iteration works on whole rings");
  const Case longitude = test::iteration_cases().back();
  refused(Found<double>::spec_of(FieldKind::scalar(), longitude, 1, 1, false), jacobi(2, Scheme::kNormalMatrix),
          "are not mirror images");
  const Case large{"healpix 1024", shared(grid::make_healpix(1024)), {2048, 2048}};
  refused(Found<double>::spec_of(FieldKind::scalar(), large, 1, 1, false), jacobi(2, Scheme::kNormalMatrix),
          "tables would need");
}

}  // namespace
}  // namespace armilla::iteration

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
