#include <armilla/core/set_up_count.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/math/polar_cut.hpp>
#include <armilla/transform/operation_count.hpp>

#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

FieldTransformSpec make_spec(grid::RingGrid grid, Index lmax, FieldKind kind, Index maps, int ranks) {
  FieldTransformSpec spec;
  spec.kind = std::move(kind);
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), ranks);
  spec.pixels = std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(std::move(grid)), ranks);
  spec.maps = maps;
  return spec;
}

// Pairs of degrees, one by one, from the first degree on that the cut leaves.
double count_degree_pairs(const grid::RingGrid& grid, Index lmax, Index spin) {
  double sum = 0;
  for (const auto& pair : grid.pairs())
    for (Index m = 0; m <= lmax; ++m) {
      Index first = m;
      while (first <= lmax && math::polar_cut(first, spin, pair.cos_theta, pair.sin_theta) < m) ++first;
      if (first > lmax) continue;
      for (Index l = first; l <= lmax + spin; l += 2) ++sum;
    }
  return sum;
}

TEST(OperationCount, ScalarStepsOfTwoDegreesCostTwoAndFourPerMap) {
  const Index lmax = 300;
  const auto grid = grid::make_healpix(64);
  for (const Index maps : {1, 5}) {
    const double expected = count_degree_pairs(grid, lmax, 0) * (2 + 4 * static_cast<double>(maps));
    EXPECT_EQ(legendre_fma(make_spec(grid, lmax, FieldKind::scalar(), maps, 1), 0), expected);  // whole numbers
  }
}

TEST(OperationCount, PolarisationSharesOneRecurrenceOverMoreDegrees) {
  const Index lmax = 300;
  const auto grid = grid::make_healpix(64);
  const double expected = count_degree_pairs(grid, lmax, 2) * 10;
  EXPECT_EQ(legendre_fma(make_spec(grid, lmax, FieldKind::polarisation(), 1, 1), 0), expected);
}

TEST(OperationCount, RanksShareTheWorkOfOne) {
  const auto grid = grid::make_gauss(200, 400);
  const double whole = legendre_fma(make_spec(grid, 199, FieldKind::temperature_polarisation(), 2, 1), 0);
  double sum = 0;
  for (int rank = 0; rank < 7; ++rank)
    sum += legendre_fma(make_spec(grid, 199, FieldKind::temperature_polarisation(), 2, 7), rank);
  EXPECT_EQ(sum, whole);
  EXPECT_GT(whole, 0);
}

// On a full grid of L = lmax + 1 rings, degrees from m / sin(theta) on make 6 / (4 pi) L^3. The 100 that the cut leaves
// beyond add 6 / 4 * 100 / L, less what would lie beyond m = lmax.
TEST(OperationCount, FullGaussGridNeedsHalfTheCubeOfLmax) {
  const double rings = 4096;
  const double cube = rings * rings * rings;
  const double fma = legendre_fma(make_spec(grid::make_gauss(4096, 8192), 4095, FieldKind::scalar(), 1, 1), 0);
  EXPECT_GT(fma / cube, 6 / (4 * core::kPi));
  EXPECT_LT(fma / cube, 6 / (4 * core::kPi) + 6.0 / 4 * 100 / rings);
}

// More than 512 ring pairs are counted in blocks.
TEST(OperationCount, BlocksOfRingsStandForAll) {
  for (const bool healpix : {false, true}) {
    const auto grid = healpix ? grid::make_healpix(700) : grid::make_gauss(2900, 16);
    const Index lmax = healpix ? 1400 : 2000;
    for (const Index spin : {0, 2}) {
      double all = 0;
      for (const auto& pair : grid.pairs()) {
        const math::FirstDegrees degrees(spin, pair.cos_theta, pair.sin_theta);
        const Index cut = math::polar_cut(lmax, spin, pair.cos_theta, pair.sin_theta);
        Index first = 0;
        for (Index m = 0; m <= cut; ++m) {
          first = degrees.at(m, first, lmax);
          all += static_cast<double>((lmax + spin - first + 2) / 2);
        }
      }
      const FieldTransformSpec spec =
          make_spec(grid, lmax, spin == 0 ? FieldKind::scalar() : FieldKind::polarisation(), 1, 1);
      double counted = 0;
      for (const double steps : legendre_steps_by_m(spec, spec.kind.spin_fields().front(), CountedRings::kGrid))
        counted += steps;
      EXPECT_NEAR(counted / all, 1, 1e-4) << grid.description().text() << ", spin " << spin;
    }
  }
}

// One cube root for each ring pair.
TEST(OperationCount, CubeRootsAreSharedByAllOrders) {
  const auto spec = make_spec(grid::make_healpix(256), 512, FieldKind::scalar(), 1, 4);
  const Index before = core::set_up_count(core::SetUpWork::kCubeRoots);
  for (int rank = 0; rank < 4; ++rank) legendre_fma(spec, rank);
  EXPECT_EQ(core::set_up_count(core::SetUpWork::kCubeRoots) - before, spec.grid_pairs());
}

}  // namespace
}  // namespace armilla::transform
