#include <armilla/draw/ticks.hpp>

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace armilla::draw {
namespace {

std::vector<std::string> labels(const Ticks& ticks) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks.ticks)
    if (!tick.label.empty()) result.push_back(tick.label);
  return result;
}

using Labels = std::vector<std::string>;

TEST(LinearTicks, AreRoundNumbersWithinTheRange) {
  EXPECT_EQ(labels(linear_ticks(-300, 300, 7)),
            (Labels{"\u2212300", "\u2212200", "\u2212100", "0", "100", "200", "300"}));
  EXPECT_EQ(labels(linear_ticks(0, 1, 6)), (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(linear_ticks(0, 1, 5)), (Labels{"0.00", "0.25", "0.50", "0.75", "1.00"}));
}

TEST(LinearTicks, TakeOutThePowerOfVerySmallAndLargeNumbers) {
  const Ticks small = linear_ticks(-4e-4, 4e-4, 5);
  EXPECT_EQ(small.exponent, -4);
  EXPECT_EQ(labels(small), (Labels{"\u22124", "\u22122", "0", "2", "4"}));
  const Ticks large = linear_ticks(0, 2.5e7, 6);
  EXPECT_EQ(large.exponent, 7);
  EXPECT_EQ(labels(large), (Labels{"0.0", "0.5", "1.0", "1.5", "2.0", "2.5"}));
}

TEST(LinearTicks, AreSensibleForAnyRange) {
  const double ends[] = {-1e300, -7e18,     -1234.5678, -1,    -3e-9,  0,    1e-250, 2e-5,
                         0.1,    0.1000001, 1,          99999, 100001, 6e22, 1e300};
  for (const double low : ends)
    for (const double high : ends)
      for (const int most : {2, 5, 9}) {
        if (!(low < high)) continue;
        const Ticks ticks = linear_ticks(low, high, most);
        ASSERT_GE(ticks.ticks.size(), 1U) << low << ' ' << high;
        ASSERT_LE(ticks.ticks.size(), static_cast<std::size_t>(most)) << low << ' ' << high;
        std::set<std::string> distinct;
        for (const Tick& tick : ticks.ticks) {
          distinct.insert(tick.label);
          EXPECT_GE(tick.value, low - 1e-8 * (high - low));
          EXPECT_LE(tick.value, high + 1e-8 * (high - low));
          EXPECT_LE(tick.label.size(), 16U) << tick.label;
        }
        EXPECT_EQ(distinct.size(), ticks.ticks.size()) << low << ' ' << high;
      }
}

TEST(LinearTicks, DoNotFailOnEmptyOrImpossibleRanges) {
  EXPECT_EQ(labels(linear_ticks(3, 3, 5)), Labels{"3"});
  EXPECT_EQ(labels(linear_ticks(1, 0, 6)), labels(linear_ticks(0, 1, 6)));
  EXPECT_TRUE(linear_ticks(0, std::numeric_limits<double>::infinity(), 5).ticks.empty());
  EXPECT_TRUE(linear_ticks(std::numeric_limits<double>::quiet_NaN(), 1, 5).ticks.empty());
}

TEST(LogTicks, LabelPowersOfTenAndMarkTheRest) {
  const Ticks ticks = log_ticks(1e-3, 1e4, 10, LogLabels::kPowers);
  EXPECT_EQ(labels(ticks), (Labels{"10^{-3}", "10^{-2}", "10^{-1}", "1", "10", "10^{2}", "10^{3}", "10^{4}"}));
  EXPECT_EQ(ticks.ticks.size(), 8U + 7 * 8);
}

TEST(LogTicks, MultipolesAreWrittenAsNumbers) {
  EXPECT_EQ(labels(log_ticks(2, 2500, 13, LogLabels::kNumbers)),
            (Labels{"2", "5", "10", "20", "50", "100", "200", "500", "1000", "2000"}));
}

TEST(LogTicks, AreThinnedOutOverManyDecades) {
  const Ticks ticks = log_ticks(1e-40, 1e40, 9, LogLabels::kPowers);
  EXPECT_LE(labels(ticks).size(), 9U);
  EXPECT_GE(labels(ticks).size(), 4U);
}

TEST(LogTicks, DoNotFailOnImpossibleRanges) {
  EXPECT_TRUE(log_ticks(0, 10, 9, LogLabels::kPowers).ticks.empty());
  EXPECT_TRUE(log_ticks(-1, 10, 9, LogLabels::kPowers).ticks.empty());
  EXPECT_TRUE(log_ticks(10, 1, 9, LogLabels::kPowers).ticks.empty());
  EXPECT_EQ(labels(log_ticks(10, 10, 9, LogLabels::kPowers)), Labels{"10"});
}

}  // namespace
}  // namespace armilla::draw
