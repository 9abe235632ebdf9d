// Sines and arc tangents against extended precision.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include <gtest/gtest.h>
#include <kernels/lensing/angles.hpp>

namespace armilla::kernels {
namespace {

constexpr int kDraws = 200000;

TEST(Angles, SinesAreThoseOfTheLibrary) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const double range : {1e-9, 0.8, 7.0, 1e3, 1e6}) {
    double largest = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double x = range * uniform(engine);
      const auto [sine, cosine] = sine_cosine(x);
      largest = std::max(largest, static_cast<double>(std::abs(sine - std::sin(static_cast<long double>(x)))));
      largest = std::max(largest, static_cast<double>(std::abs(cosine - std::cos(static_cast<long double>(x)))));
    }
    EXPECT_LE(largest, 2e-16) << range;
  }
  // Beyond, the turns are those of kPi, which is 1.2e-16 too small.
  EXPECT_NEAR(sine_cosine(1e7).sine, std::sin(1e7), 1e7 * 4e-17);
  EXPECT_EQ(sine_cosine(0).sine, 0);
  EXPECT_EQ(sine_cosine(0).cosine, 1);
  EXPECT_EQ(sine_cosine(1e-20).sine, 1e-20);
  EXPECT_TRUE(std::isnan(sine_cosine(std::numeric_limits<double>::infinity()).sine));
  EXPECT_TRUE(std::isnan(sine_cosine(std::numeric_limits<double>::quiet_NaN()).cosine));
}

TEST(Angles, ArcTangentsAreThoseOfTheLibrary) {
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double largest = 0;
  for (int i = 0; i < kDraws; ++i) {
    double y = uniform(engine), x = uniform(engine) * std::pow(10.0, -8 * std::abs(uniform(engine)));
    if (i % 2 == 0) std::swap(x, y);
    const auto expected = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    largest = std::max(largest, static_cast<double>(std::abs(arc_tangent(y, x) - expected)));
  }
  EXPECT_LE(largest, 5e-16);
  EXPECT_EQ(arc_tangent(0, 0), 0);
  EXPECT_EQ(arc_tangent(0, 2), 0);
  EXPECT_EQ(arc_tangent(0, -2), core::kPi);
  EXPECT_EQ(arc_tangent(-2, 0), -core::kPi / 2);
  EXPECT_EQ(arc_tangent(1e-20, 1), 1e-20);
  EXPECT_EQ(arc_tangent(3, 3), core::kPi / 4);
  EXPECT_TRUE(std::isnan(arc_tangent(std::numeric_limits<double>::quiet_NaN(), 1)));
}

}  // namespace
}  // namespace armilla::kernels
