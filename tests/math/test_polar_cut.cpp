#include <armilla/core/set_up_count.hpp>
#include <armilla/math/polar_cut.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::math {
namespace {

using core::Index;

// The natural logarithm of the largest |slambda_lm| for l <= lmax, by the recurrence in l with a separate exponent. s
// may be negative.
double log_of_largest(Index lmax, Index m, Index s, double theta) {
  const Index start = std::max(m, std::abs(s)), other = std::min(m, std::abs(s));
  if (start > lmax) return -INFINITY;
  const auto order = static_cast<double>(m), spin = static_cast<double>(s), first = static_cast<double>(start);
  const double binomial = std::lgamma(2 * first + 1) - std::lgamma(first + static_cast<double>(other) + 1) -
                          std::lgamma(first - static_cast<double>(other) + 1);
  double exponent = (std::log((2 * first + 1) / (4 * std::numbers::pi)) + binomial) / 2 +
                    std::abs(order + spin) * std::log(std::sin(theta / 2)) +
                    std::abs(order - spin) * std::log(std::cos(theta / 2));
  const auto factor = [&](double l) {
    return l * std::sqrt((4 * l * l - 1) / ((l * l - order * order) * (l * l - spin * spin)));
  };
  double largest = exponent, value = 1, last = 0;
  for (Index degree = start; degree < lmax; ++degree) {
    const auto l = static_cast<double>(degree);
    const double shift = degree > 0 ? spin * order / (l * (l + 1)) : 0;
    const double back = degree > start ? last / factor(l) : 0;
    last = std::exchange(value, factor(l + 1) * ((std::cos(theta) + shift) * value - back));
    if (std::abs(value) > 1e100) {
      value /= 1e100;
      last /= 1e100;
      exponent += std::log(1e100);
    }
    if (value != 0) largest = std::max(largest, std::log(std::abs(value)) + exponent);
  }
  return largest;
}

// Largest value that the cut omits on rings from the pole to the equator, relative to sqrt((2 lmax + 1) / (4 pi)). Half
// of the rings are equidistant in theta, half in log(theta).
double largest_omitted(Index lmax, Index spin, Index rings) {
  double largest = -INFINITY;
  for (Index ring = 0; ring < rings; ++ring)
    for (const bool logarithmic : {false, true}) {
      const double place = (static_cast<double>(ring) + 0.3) / static_cast<double>(rings);
      const double scale = logarithmic ? std::pow(10 * static_cast<double>(lmax + 1), place - 1) : place;
      const double theta = scale * std::numbers::pi / 2;
      const Index cut = polar_cut(lmax, spin, std::cos(theta), std::sin(theta));
      if (cut == lmax) continue;
      for (const Index s : {spin, -spin}) largest = std::max(largest, log_of_largest(lmax, cut + 1, s, theta));
    }
  return std::exp(largest) / std::sqrt((2 * static_cast<double>(lmax) + 1) / (4 * std::numbers::pi));
}

}  // namespace

TEST(CubeRoot, IsTheCubeRoot) {
  for (const double x : {1e-300, 1e-5, 0.125, 0.3, 1.0, 2.0, 7.9, 8.0, 1e9, 1e300})
    EXPECT_NEAR(cube_root(x) / std::cbrt(x), 1, 4e-16) << x;
  EXPECT_EQ(cube_root(0), 0);
  EXPECT_EQ(cube_root(27), 3);
}

TEST(PolarCut, OmitsNegligibleValuesOnly) {
  for (const Index lmax : {10, 31, 63, 127, 255, 511})
    for (const Index spin : {0, 1, 2, 3, 10, 50, 200}) {
      if (spin > lmax) continue;
      EXPECT_LT(largest_omitted(lmax, spin, 60), 1e-16) << lmax << ' ' << spin;
    }
  for (const Index lmax : {1023, 2047, 4095, 8191})
    for (const Index spin : {0, 2, 30}) EXPECT_LT(largest_omitted(lmax, spin, 12), 1e-16) << lmax << ' ' << spin;
}

TEST(PolarCut, OmitsMostOrdersAtThePoles) {
  EXPECT_EQ(polar_cut(4095, 0, 0.0, 1.0), 4095);
  EXPECT_EQ(polar_cut(4095, 0, 1.0, 0.0), 12);
  EXPECT_EQ(polar_cut(8, 0, 1.0, 0.0), 8);
  EXPECT_EQ(polar_cut(4095, 10, 1.0, 0.0), 22);  // a function of spin s has its turning point at m = s there
}

// The first degrees of a ring invert its cut.
TEST(PolarCut, FirstDegreesNeedNoCubeRoot) {
  constexpr Index kLmax = 300;
  for (const Index spin : {0, 1, 2, 3, 20, 200})
    for (const Index margin : {0, 7})
      for (int ring = 0; ring <= 40; ++ring) {
        const double theta = std::numbers::pi / 2 * ring / 40, cosine = std::cos(theta), sine = std::sin(theta);
        const FirstDegrees degrees(spin, cosine, sine, margin);
        const Index before = core::set_up_count(core::SetUpWork::kCubeRoots);
        std::vector<Index> found;
        for (Index m = 0; m <= kLmax; ++m) found.push_back(degrees.at(m, found.empty() ? 0 : found.back(), kLmax));
        EXPECT_EQ(core::set_up_count(core::SetUpWork::kCubeRoots), before);
        Index first = 0;
        for (Index m = 0; m <= kLmax; ++m) {
          first = std::max(first, m);
          while (first < kLmax && polar_cut(first, spin, cosine, sine, margin) < m) ++first;
          ASSERT_EQ(found[static_cast<std::size_t>(m)], first) << "spin " << spin << ", ring " << ring << ", m " << m;
        }
      }
}

}  // namespace armilla::math
