#include <armilla/grid/makers.hpp>
#include <armilla/grid/quadrature_error.hpp>

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::grid {
namespace {

using Measured = std::vector<std::pair<Index, double>>;

/// The grid with the same rings, pixels and weights, whose rule is unknown.
RingGrid as_rings(
    const RingGrid& grid, double (*rounded)(double) = [](double weight) { return weight; }) {
  std::vector<double> theta, phi0, weight;
  std::vector<Index> nphi;
  for (const Ring& ring : grid.rings()) {
    theta.push_back(ring.theta);
    phi0.push_back(ring.phi0);
    nphi.push_back(ring.nphi);
    weight.push_back(rounded(ring.weight));
  }
  return make_rings(theta, phi0, nphi, weight, "rings.h5");
}

void expect_near(const RingGrid& grid, const Measured& measured) {
  for (const auto& [lmax, error] : measured) {
    EXPECT_GT(expected_quadrature_error(grid, lmax, lmax), 0.7 * error) << grid.description().text() << " " << lmax;
    EXPECT_LT(expected_quadrature_error(grid, lmax, lmax), 1.4 * error) << grid.description().text() << " " << lmax;
  }
}

// Differences measured after synthesis and quadrature of random coefficients with a flat spectrum.
TEST(QuadratureError, IsThatOfRoundTrips) {
  const Measured octahedral{{79, 1.5e-13}, {90, 6.5e-11}, {106, 1.3e-6}, {127, 0.027}, {159, 0.29}};
  expect_near(make_octahedral(160), octahedral);
  expect_near(as_rings(make_octahedral(160)), {octahedral.begin() + 1, octahedral.end()});
  const Measured healpix{{16, 4.8e-4}, {64, 3.12e-3}, {72, 4.96e-3}, {80, 0.0186}, {88, 0.0816}, {95, 0.1476}};
  expect_near(make_healpix(32), healpix);
  expect_near(as_rings(make_healpix(32)), healpix);
  expect_near(make_healpix(128), {{320, 9.27e-3}, {352, 0.0724}, {383, 0.1469}});
}

TEST(QuadratureError, OfLargeGridsIsSampled) {
  EXPECT_NEAR(expected_quadrature_error(make_healpix(512), 1535, 1535), 0.149, 0.003);
  EXPECT_LT(expected_quadrature_error(make_octahedral(2560), 1280, 1280), 1e-12);
  EXPECT_GT(expected_quadrature_error(make_octahedral(2560), 2559, 2559), 0.3);
}

TEST(QuadratureError, DeterminesTheAccurateLimit) {
  EXPECT_EQ(accurate_lmax(make_octahedral(160)), 80);
  EXPECT_EQ(accurate_lmax(make_octahedral(2)), 1);
  EXPECT_EQ(accurate_lmax(make_gauss(64, 129, 0)), 63);
  EXPECT_EQ(accurate_lmax(make_reduced_gauss(96)), 95);
  EXPECT_EQ(accurate_lmax(make_healpix(8)), 23);
  EXPECT_EQ(expected_quadrature_error(make_equiangular("cc", 33, 64), 31, 31), 0);

  EXPECT_EQ(accurate_lmax(as_rings(make_gauss(64, 129, 0))), 63);
  EXPECT_EQ(accurate_lmax(as_rings(make_gauss(64, 129, 0), [](double w) { return double{static_cast<float>(w)}; })),
            63);
  EXPECT_EQ(accurate_lmax(as_rings(make_gauss(64, 91, 0))), 45);
  EXPECT_EQ(accurate_lmax(as_rings(make_reduced_gauss(96))), 95);
  EXPECT_NEAR(static_cast<double>(accurate_lmax(as_rings(make_octahedral(160)))), 90, 2);
  EXPECT_NEAR(static_cast<double>(accurate_lmax(as_rings(make_equiangular("cc", 181, 362)))), 90, 1);
  EXPECT_LE(accurate_lmax(as_rings(make_healpix(1))), 1);
}

TEST(QuadratureError, OfWrongWeightsIsNeverAccepted) {
  const RingGrid rounded = as_rings(make_gauss(24, 48, 0), [](double w) { return double{static_cast<float>(w)}; });
  EXPECT_EQ(accurate_lmax(rounded), 23);
  EXPECT_FALSE(exceeds_accurate_limits(rounded, 23, 23));
  EXPECT_LT(accepted_quadrature_error(rounded), 1e-6);
  for (double (*change)(double) :
       {+[](double w) { return 2 * w; }, +[](double) { return 0.0; }, +[](double w) { return w * (1 + 1e-5); }}) {
    const RingGrid wrong = as_rings(make_gauss(24, 48, 0), change);
    for (const Index lmax : {0, 8, 23}) EXPECT_TRUE(exceeds_accurate_limits(wrong, lmax, lmax)) << lmax;
  }
}

TEST(QuadratureError, OrdersHaveALimitOfTheirOwn) {
  EXPECT_FALSE(exceeds_accurate_limits(make_gauss(360, 101, 0), 359, 50));
  EXPECT_TRUE(exceeds_accurate_limits(make_gauss(360, 101, 0), 359, 51));
  EXPECT_FALSE(exceeds_accurate_limits(as_rings(make_gauss(60, 41, 0)), 59, 20));
  EXPECT_FALSE(exceeds_accurate_limits(make_octahedral(160), 80, 80));
  EXPECT_TRUE(exceeds_accurate_limits(make_octahedral(160), 120, 120));
  EXPECT_FALSE(exceeds_accurate_limits(make_octahedral(160), 120, 9));
  EXPECT_FALSE(exceeds_accurate_limits(make_octahedral(8), 7, 7));
  EXPECT_FALSE(exceeds_accurate_limits(make_healpix(16), 47, 47));
}

}  // namespace
}  // namespace armilla::grid
