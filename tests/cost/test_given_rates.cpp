#include <armilla/core/error.hpp>
#include <armilla/cost/prediction.hpp>
#include <armilla/cost/rates.hpp>

#include <string>

#include <gtest/gtest.h>

namespace armilla::cost {
namespace {

/// Built-in rates with one measured set.
Rates measured(const Occupancy& occupancy, double read = 1e6) {
  RateSet set;
  set.occupancy = occupancy;
  set.samples[Kernel::kScalarSynthesis] = {{256, false, 7e8}};
  set.samples[Kernel::kReadHdf5] = {{1, false, read}};
  set.samples[Kernel::kWriteFits] = {{1, false, read}};
  Rates rates = Rates::built_in();
  rates.put(set);
  return rates;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(GivenRates, ThePeakScalesTheLegendreStageOnly) {
  const Rates plain = Rates::built_in();
  Rates given = measured({1, 1, 1});
  given.give({.file_system = {}, .fma_peak = 3 * kBuiltInFmaPeak});
  const Rates without = measured({1, 1, 1});
  const Occupancy occupancy{4, 4, 2};
  for (const KernelInfo& row : kernels()) {
    const RateUse used = given.use(row.kernel, 512, 1, occupancy);
    if (is_of_legendre(row.kernel)) {
      EXPECT_DOUBLE_EQ(used.rate, 3 * plain.rate(row.kernel, 512, 1, occupancy)) << row.name;
      EXPECT_TRUE(contains(used.source, "given: 60 GFMA/s")) << used.source;
    } else {
      EXPECT_DOUBLE_EQ(used.rate, without.rate(row.kernel, 512, 1, occupancy)) << row.name;
      EXPECT_FALSE(contains(used.source, "given")) << row.name;
    }
  }
}

TEST(GivenRates, LegendreKernelsAreThoseOfTheLegendrePhase) {
  for (const KernelInfo& row : kernels()) EXPECT_EQ(is_of_legendre(row.kernel), std::string(row.phase) == "legendre");
}

TEST(GivenRates, BuiltInLegendreRatesAreBelowThePeakOfTheirCore) {
  const RateSet set = built_in_rates();
  for (const KernelInfo& row : kernels()) {
    if (!is_of_legendre(row.kernel)) continue;
    for (const Sample& sample : set.samples.at(row.kernel)) EXPECT_LT(sample.rate, kBuiltInFmaPeak) << row.name;
  }
}

TEST(GivenRates, EachProcessAddsToTheRateOfFilesExceptForFitsAndText) {
  const Rates rates = measured({2, 2, 1});  // 0.5e6 for each process
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kReadHdf5, 1, 1, {2, 2, 1}), 1e6);
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kReadHdf5, 1, 1, {8, 4, 1}), 4e6);
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kWriteFits, 1, 1, {8, 4, 1}), 1e6);
  const Rates built_in = Rates::built_in();
  EXPECT_DOUBLE_EQ(built_in.rate(Kernel::kReadText, 1, 1, {8, 4, 1}), built_in.rate(Kernel::kReadText, 1, 1, {}));
}

TEST(GivenRates, ProcessesReachTheNetworkOfTheirNodesAtMost) {
  const Rates rates = measured({1, 1, 1}, 4e9);
  const double node = built_in_rates().bandwidth;  // 1e10
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kReadHdf5, 1, 1, {2, 2, 1}), 8e9);
  const RateUse used = rates.use(Kernel::kReadHdf5, 1, 1, {4, 4, 1});
  EXPECT_DOUBLE_EQ(used.rate, node);
  EXPECT_EQ(used.source, "network of the nodes, assumed");
  // Half a node has half its network.
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kReadHdf5, 1, 1, {4, 4, 1}, {.nodes = 0.5, .groups = 1}), node / 2);
  Rates fast = rates;
  fast.give({.file_system = 1e12, .fma_peak = {}});
  EXPECT_DOUBLE_EQ(fast.rate(Kernel::kReadHdf5, 1, 1, {12, 4, 1}), 3 * node);
}

TEST(GivenRates, TheFileSystemLimitsTheFilesOfAllGroupsTogether) {
  Rates rates = measured({1, 1, 1}, 4e9);
  EXPECT_EQ(rates.use(Kernel::kReadHdf5, 1, 1, {64, 4, 1}).source, "file system, assumed");
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kReadHdf5, 1, 1, {64, 4, 1}), kBuiltInFileSystem);
  rates.give({.file_system = 2e9, .fma_peak = {}});
  const RateUse used = rates.use(Kernel::kReadHdf5, 1, 1, {4, 4, 1}, {.nodes = 1, .groups = 5});
  EXPECT_DOUBLE_EQ(used.rate, 2e9 / 5);
  EXPECT_EQ(used.source, "file system, given");
  EXPECT_DOUBLE_EQ(used.of_cores, 4 * 4e9);  // the processes wait for the rest of the time
  // The creation of a file transfers no bytes.
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kFiles, 1, 1, {4, 4, 1}, {.nodes = 1, .groups = 5}),
                   Rates::built_in().rate(Kernel::kFiles, 1, 1, {}));
}

TEST(GivenRates, TheSourceOfEachRateIsKnown) {
  const Rates rates = measured({2, 2, 3});
  EXPECT_TRUE(contains(rates.use(Kernel::kScalarSynthesis, 256, 1, {2, 2, 3}).source, "with 2 ranks of 3 threads"));
  EXPECT_EQ(rates.use(Kernel::kRadial, 256, 1, {2, 2, 3}).source, std::string("built in: ") + kBuiltInMachine);
  EXPECT_TRUE(contains(Rates::built_in().source(), kBuiltInMachine));
  Work work;
  work.add(Item{Kernel::kScalarSynthesis, 256, 1, {50, 30}});
  work.add(Item{Kernel::kReadHdf5, 1, 1, {1000, 1000}});
  const std::vector<RateUse> used = rates_used(work, {2, 2, 3}, rates);
  ASSERT_EQ(used.size(), 2U);
  EXPECT_EQ(used[0].kernel, Kernel::kScalarSynthesis);
  EXPECT_DOUBLE_EQ(used[0].rate, 7e8);
  EXPECT_EQ(used[1].kernel, Kernel::kReadHdf5);
}

TEST(GivenRates, ForecastsFarFromTheMeasurementSaySo) {
  const Rates rates = measured({2, 2, 1});
  EXPECT_EQ(rates.extrapolation({2, 2, 1}), "");
  EXPECT_EQ(rates.extrapolation({4, 2, 2}), "");
  const std::string far = rates.extrapolation({32, 4, 32});
  EXPECT_TRUE(contains(far, "measured with 2 threads on 1 node and are extrapolated to 1024 threads on 8 nodes"))
      << far;
  EXPECT_FALSE(rates.extrapolation({6, 2, 1}).empty());  // three nodes
  EXPECT_FALSE(rates.extrapolation({6, 6, 1}).empty());
  // Products beyond 2^31 are no overflow.
  EXPECT_TRUE(contains(rates.extrapolation({1 << 24, 1 << 24, 1 << 24}), "281474976710656 threads on 1 node"));
  EXPECT_EQ(Rates::built_in().extrapolation({32, 4, 32}), "");
}

TEST(ParseRate, AcceptsNumbersWithAPrefix) {
  EXPECT_DOUBLE_EQ(parse_rate("5e9"), 5e9);
  EXPECT_DOUBLE_EQ(parse_rate("20G"), 2e10);
  EXPECT_DOUBLE_EQ(parse_rate("1.5k"), 1500);
  EXPECT_DOUBLE_EQ(parse_rate("2M"), 2e6);
  EXPECT_DOUBLE_EQ(parse_rate("0.5T"), 5e11);
}

TEST(ParseRate, RefusesOtherText) {
  for (const char* text : {"", "0", "-1", "10GB", "nan", "inf", "G", "1e400", "5 G", "5g", "0G", "0x10"}) {
    try {
      parse_rate(text);
      ADD_FAILURE() << "'" << text << "' was accepted";
    } catch (const core::InputError& error) {
      EXPECT_TRUE(contains(error.what(), "'" + std::string(text) + "' is not a rate")) << error.what();
    }
  }
}

}  // namespace
}  // namespace armilla::cost
