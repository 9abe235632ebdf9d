#include <armilla/core/error.hpp>
#include <armilla/draw/value_range.hpp>

#include <limits>
#include <string>
#include <vector>

#include "picture.hpp"
#include <gtest/gtest.h>

namespace armilla::draw {
namespace {

TEST(ValueRange, BadPixelsAreCountedAndLeftOut) {
  const std::vector<double> values{
      1, kNaN, -1.6375e30, static_cast<double>(-1.6375e30F), std::numeric_limits<double>::infinity(), 3};
  const ValueStatistics statistics = survey(values);
  EXPECT_EQ(statistics.good, 2);
  EXPECT_EQ(statistics.bad, 4);
  EXPECT_EQ(statistics.minimum, 1);
  EXPECT_EQ(statistics.maximum, 3);
}

TEST(ValueRange, RobustRangeLeavesOutHalfAPercentAtEachEnd) {
  std::vector<double> values;
  for (int i = 0; i < 10000; ++i) values.push_back((i * 7919) % 10000);
  values[0] = 1e9;
  const ColorRange range = choose_range(survey(values), {});
  EXPECT_NEAR(range.low, 50, 2);
  EXPECT_NEAR(range.high, 9950, 2);
  EXPECT_TRUE(range.cut_above);
  const ColorRange full = choose_range(survey(values), {RangeRule::kFull, {}, {}, {}});
  EXPECT_EQ(full.high, 1e9);
  EXPECT_FALSE(full.cut_above);
}

TEST(ValueRange, LargeMapsAreSampledEvenly) {
  std::vector<double> values(5'000'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const ValueStatistics statistics = survey(values);
  // A sample of every fifth value in order misses a percentile by less than ten values.
  EXPECT_NEAR(statistics.robust_low, 25'000, 10);
  EXPECT_NEAR(statistics.robust_high, 4'975'000, 10);
  EXPECT_EQ(statistics.maximum, 4'999'999);
}

TEST(ValueRange, IsSymmetricWhereBothSignsMatter) {
  const std::vector<double> both{-3, -1, 0, 2}, one{-0.1, 1, 2, 5}, none;
  EXPECT_TRUE(choose_range(survey(both), {}).symmetric);
  EXPECT_EQ(choose_range(survey(both), {}).high, 3);
  EXPECT_FALSE(choose_range(survey(one), {}).symmetric);
  EXPECT_EQ(choose_range(survey(one), {RangeRule::kFull, RangeSymmetry::kSymmetric, {}, {}}).low, -5);
  EXPECT_EQ(choose_range(survey(both), {RangeRule::kFull, RangeSymmetry::kFree, {}, {}}).high, 2);
}

TEST(ValueRange, ConstantAndEmptyMapsGetARange) {
  for (const double value : {0.0, -5.0, 1e-30, 1e20}) {
    const std::vector<double> values(100, value);
    const ColorRange range = choose_range(survey(values), {});
    EXPECT_LT(range.low, value);
    EXPECT_GT(range.high, value);
  }
  const std::vector<double> bad(10, kNaN);
  const ColorRange range = choose_range(survey(bad), {});
  EXPECT_LT(range.low, range.high);
}

TEST(ValueRange, AFewPixelsOnAConstantMapAreSeen) {
  std::vector<double> values(10000, 0.0);
  values[77] = 1;
  EXPECT_EQ(choose_range(survey(values), {}).high, 1);
}

TEST(ValueRange, EndsSetByTheUserWin) {
  const std::vector<double> values{-3, -1, 0, 2};
  const ColorRange one = choose_range(survey(values), {RangeRule::kRobust, {}, {}, 0.5});
  EXPECT_EQ(one.low, -0.5);
  EXPECT_EQ(one.high, 0.5);
  EXPECT_TRUE(one.cut_below && one.cut_above);
  const ColorRange two = choose_range(survey(values), {RangeRule::kRobust, {}, -1, 5});
  EXPECT_EQ(two.low, -1);
  EXPECT_EQ(two.high, 5);
  EXPECT_FALSE(two.symmetric);
  const ColorRange beyond = choose_range(survey(values), {RangeRule::kRobust, {}, 100, {}});
  EXPECT_EQ(beyond.low, 100);
  EXPECT_GT(beyond.high, 100);
}

TEST(ValueRange, ALogarithmicScaleSpansPositiveValues) {
  const std::vector<double> values{-3, 0, 1, 10, 100, kNaN};
  const ValueStatistics statistics = survey(values, ColorScale::kLogarithmic);
  EXPECT_EQ(statistics.good, 3);
  EXPECT_EQ(statistics.bad, 3);
  RangeStyle style{.scale = ColorScale::kLogarithmic};
  const ColorRange range = choose_range(statistics, style);
  EXPECT_EQ(range.low, 1);
  EXPECT_EQ(range.high, 100);
  EXPECT_FALSE(range.symmetric);
  EXPECT_NEAR(range.share(10), 0.5, 1e-12);
  for (const std::vector<double>& few : {std::vector<double>{}, std::vector<double>{5, 5}, std::vector<double>{-1}}) {
    const ColorRange some = choose_range(survey(few, ColorScale::kLogarithmic), style);
    EXPECT_GT(some.low, 0);
    EXPECT_GT(some.high, some.low);
  }
  style.minimum = 1000;
  EXPECT_EQ(choose_range(statistics, style).high, 10000);
  style.minimum = 0;
  EXPECT_THROW(choose_range(statistics, style), core::InputError);
}

TEST(ValueRange, EndsThatDoNotAscendAreRefused) {
  const std::vector<double> values{1, 2};
  try {
    choose_range(survey(values), {RangeRule::kRobust, {}, 3, 2});
    FAIL() << "no error";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("min = 3 is not below max = 2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(choose_range(survey(values), {RangeRule::kRobust, {}, kNaN, {}}), core::InputError);
}

}  // namespace
}  // namespace armilla::draw
