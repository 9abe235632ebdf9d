#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/math/legendre_decay.hpp>
#include <armilla/math/wigner.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace armilla::grid {
namespace {

using Wide = long double;

// The largest |+-s lambda_lm| of all degrees up to lmax on a ring, m >= 0, in long double.
double largest(Index spin, Index m, Index lmax, const Ring& ring) {
  const auto half = math::HalfAngle<Wide>::from(std::abs(ring.cos_theta), ring.sin_theta);
  const auto norm = math::wigner_start_norm(spin, m);
  Wide most = 0;
  for (const Index s : {spin, -spin}) {
    Wide before = 0;
    Wide value = math::wigner_start(s, m, norm, half).value();
    for (Index l = math::lowest_degree(s, m); l <= lmax; ++l) {
      most = std::max(most, std::abs(value));
      const auto step = math::wigner_step<Wide>(s, m, l);
      const Wide next = (step.head_plus - step.slope * half.one_minus_cos) * value - step.back * before;
      before = std::exchange(value, next);
    }
  }
  return static_cast<double>(most);
}

// Bound of what analysis of one function adds to the coefficient of another, which should be 0: the sum over rings of
// weight times both functions, where the number of pixels cannot tell their m apart. Every `stride`-th ring stands for
// its neighbours.
double aliasing(const RingGrid& grid, Index spin, std::size_t stride) {
  const auto lmax = static_cast<Index>(grid.rings().size()) - 1;
  double sum = 0;
  for (std::size_t i = 0; i < (grid.rings().size() + 1) / 2; i += stride) {
    const Ring& ring = grid.rings()[i];
    double most = 0;
    for (Index m = (ring.nphi + 1) / 2; m <= lmax; ++m) {
      const double product = largest(spin, m, lmax, ring) * largest(spin, std::abs(ring.nphi - m), lmax, ring);
      most = std::max(most, product);
      if (m > ring.nphi / 2 + 40) break;  // smaller and smaller
    }
    sum += static_cast<double>(stride) * 2 * ring.weight * most;
  }
  return sum;
}

TEST(ReducedGauss, AnalysisConfusesNoTwoFunctions) {
  for (const Index nlat : {2, 3, 4, 7, 16, 33, 64, 128, 257}) {
    const RingGrid grid = make_reduced_gauss(nlat);
    for (const Index spin : {0, 1, 2, 3}) {
      if (spin >= nlat) continue;
      EXPECT_LT(aliasing(grid, spin, nlat > 100 ? 8 : 1), 1e-16) << "nlat " << nlat << ", spin " << spin;
    }
  }
  const RingGrid large = make_reduced_gauss(1024);
  for (const Index spin : {0, 2, 3}) EXPECT_LT(aliasing(large, spin, 32), 1e-16) << "spin " << spin;
  for (const Index spin : {10, 100}) {
    EXPECT_LT(aliasing(make_reduced_gauss(256, spin), spin, 8), 1e-16) << "spin " << spin;
    // A grid made for lower spins is not enough: the test can tell.
    EXPECT_GT(aliasing(make_reduced_gauss(256), spin, 8), 1e-12) << "spin " << spin;
  }
}

TEST(ReducedGauss, SparesPixelsTowardsThePoles) {
  const RingGrid grid = make_reduced_gauss(1024);
  EXPECT_LE(grid.npix(), 7 * 1024 * 2048 / 10);
  EXPECT_EQ(grid.rings()[512].nphi, 2048);
  EXPECT_LE(grid.rings()[0].nphi, 50);
  for (const Index nlat : {1, 2, 12, 13, 100, 1024, 4096}) {
    const RingGrid some = make_reduced_gauss(nlat);
    Index before = 0;
    for (std::size_t i = 0; i < (some.rings().size() + 1) / 2; ++i) {
      Index rest = some.rings()[i].nphi;
      EXPECT_GE(rest, before);
      before = rest;
      EXPECT_EQ(rest % 2, 0);
      for (const Index prime : {2, 3, 5})
        while (rest % prime == 0) rest /= prime;
      EXPECT_EQ(rest, 1);
    }
    EXPECT_GE(before, 2 * nlat - 1) << "the equator tells all m apart";
  }
}

TEST(ReducedGauss, LengthsAreTheNextProductsOfSmallPrimes) {
  const auto is_smooth = [](Index length) {
    for (const Index prime : {2, 3, 5})
      while (length % prime == 0) length /= prime;
    return length == 1;
  };
  Index longest = 0;
  for (const Index spin : {Index{1}, Index{3}, Index{500}, std::numeric_limits<Index>::max()}) {
    const RingGrid grid = make_reduced_gauss(1000, spin);
    for (std::size_t i = 0; i < 500; ++i) {
      const Index nphi = grid.rings()[i].nphi;
      EXPECT_TRUE(nphi % 2 == 0 && is_smooth(nphi)) << nphi;
      longest = std::max(longest, nphi);
    }
    EXPECT_TRUE(std::ranges::is_sorted(grid.rings().first(500), {}, &Ring::nphi)) << spin;
  }
  EXPECT_EQ(longest, 2000);  // of 2 lmax + 1 = 1999
}

TEST(ReducedGauss, RefusesWhatMakesNoGrid) {
  EXPECT_THROW(make_reduced_gauss(0), core::InputError);
  EXPECT_THROW(make_reduced_gauss(8, -1), core::InputError);
}

TEST(LegendreDecay, IsThatOfTheFunctions) {
  // Of the function of degree lmax at some m, against its size where it oscillates: -log of the ratio, which WKB gives
  // to within a factor of some units.
  for (const Index lmax : {63, 255, 1023})
    for (const double theta : {0.05, 0.3, 0.8, 1.2})
      for (const double exponent : {10.0, 20.0, 36.0}) {
        Ring ring{};
        ring.cos_theta = std::cos(theta);
        ring.sin_theta = std::sin(theta);
        const Index m = math::decayed_order(lmax, exponent, ring.cos_theta, ring.sin_theta);
        if (m > lmax) continue;
        const double found = -std::log(largest(0, m, lmax, ring));
        const double asked = math::legendre_decay(lmax, m, ring.cos_theta, ring.sin_theta);
        EXPECT_GE(asked, exponent);
        EXPECT_NEAR(found, asked, 2.5) << "lmax " << lmax << ", theta " << theta << ", m " << m;
      }
  EXPECT_EQ(math::legendre_decay(10, 0, 1.0, 0.0), 0);
  EXPECT_EQ(math::legendre_decay(10, 3, 1.0, 0.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(math::decayed_order(10, 20.0, 0.0, 1.0), 11);
}

}  // namespace
}  // namespace armilla::grid
