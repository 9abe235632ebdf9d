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

}  // namespace
}  // namespace armilla::transform
