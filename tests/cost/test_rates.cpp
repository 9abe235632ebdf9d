#include <armilla/core/error.hpp>
#include <armilla/cost/prediction.hpp>
#include <armilla/cost/rates.hpp>
#include <armilla/cost/rates_json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace armilla::cost {
namespace {

RateSet set_of(const Occupancy& occupancy, double rate) {
  RateSet set;
  set.occupancy = occupancy;
  set.cores = 8;
  set.samples[Kernel::kScalarSynthesis] = {{256, false, rate}, {1024, false, 2 * rate}, {256, true, 3 * rate}};
  set.samples[Kernel::kReadHdf5] = {{1, false, 100}};
  return set;
}

Rates rates_of(std::initializer_list<RateSet> sets) {
  Rates rates = Rates::built_in();
  for (const RateSet& set : sets) rates.put(set);
  return rates;
}

TEST(Rates, EveryKernelHasABuiltInRate) {
  const Rates rates = Rates::built_in();
  EXPECT_FALSE(rates.calibrated());
  EXPECT_NE(rates.source().find("not calibrated"), std::string::npos);
  for (const KernelInfo& row : kernels()) {
    EXPECT_EQ(&info(row.kernel), &row);
    EXPECT_GT(rates.rate(row.kernel, 512, 1, {}), 0) << row.name;
  }
}

TEST(Rates, SizesAreInterpolatedAndThreadsCountAsThemselves) {
  const Rates rates = rates_of({set_of({1, 1, 2}, 10)});
  EXPECT_TRUE(rates.calibrated());
  const auto rate = [&](double size, Index maps, int threads) {
    return rates.rate(Kernel::kScalarSynthesis, size, maps, {1, 1, threads});
  };
  EXPECT_DOUBLE_EQ(rate(256, 1, 2), 10);
  EXPECT_DOUBLE_EQ(rate(512, 1, 2), 15);  // half way in the logarithm
  EXPECT_DOUBLE_EQ(rate(4096, 1, 2), 20);
  EXPECT_DOUBLE_EQ(rate(16, 1, 2), 10);
  EXPECT_DOUBLE_EQ(rate(256, 5, 2), 30);
  EXPECT_DOUBLE_EQ(rate(256, 1, 8), 40);
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kReadHdf5, 1, 1, {1, 1, 8}), 100);  // of all ranks, whatever their threads
}

TEST(Rates, TheNearestOccupancyCounts) {
  const Rates rates = rates_of({set_of({1, 1, 1}, 10), set_of({8, 8, 1}, 7), set_of({1, 1, 8}, 60)});
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kScalarSynthesis, 256, 1, {64, 8, 1}), 7);
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kScalarSynthesis, 256, 1, {4, 1, 8}), 60);
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kScalarSynthesis, 256, 1, {1, 1, 1}), 10);
}

TEST(Rates, AnOccupancyIsReplaced) {
  const Rates rates = rates_of({set_of({1, 1, 1}, 10), set_of({1, 1, 1}, 20)});
  EXPECT_EQ(rates.sets().size(), 1U);
  EXPECT_DOUBLE_EQ(rates.rate(Kernel::kScalarSynthesis, 256, 1, {1, 1, 1}), 20);
}

TEST(Rates, AnAllToAllTakesItsLatencyForEachPartnerAndItsBytes) {
  RateSet set = set_of({4, 2, 1}, 10);
  set.latency = 1e-3;
  set.bandwidth = 1e6;
  const Rates rates = rates_of({set});
  EXPECT_DOUBLE_EQ(rates.exchange_seconds(2e6, 5, {6, 2, 1}), 5e-3 + 2);
  EXPECT_DOUBLE_EQ(rates.exchange_seconds(2e6, 5, {6, 4, 1}), 5e-3 + 4);  // twice the ranks share the node's network
  EXPECT_EQ(rates.exchange_seconds(0, 0, {}), 0);
}

TEST(Rates, ExchangesBetweenNodesUseOnlyRatesThatWereMeasuredBetweenNodes) {
  RateSet within = set_of({4, 4, 1}, 10), between = set_of({2, 1, 1}, 10);
  within.latency = 1e-7;
  within.bandwidth = 1e12;
  between.latency = 1e-3;
  between.bandwidth = 1e6;
  const Occupancy one_node{4, 4, 1}, two_nodes{8, 4, 1};
  const RateSet assumed = built_in_rates();
  EXPECT_DOUBLE_EQ(rates_of({within}).exchange_seconds(1e9, 3, one_node), 3e-7 + 1e-3);
  EXPECT_DOUBLE_EQ(rates_of({within}).exchange_seconds(1e9, 7, two_nodes),
                   7 * assumed.latency + 1e9 / (assumed.bandwidth / 4));
  EXPECT_EQ(rates_of({within}).exchange(two_nodes).source, "assumed");
  EXPECT_EQ(rates_of({within}).node_network(two_nodes), assumed.bandwidth);
  const Rates both = rates_of({within, between});
  EXPECT_DOUBLE_EQ(both.exchange_seconds(1e6, 7, two_nodes), 7e-3 + 4);
  EXPECT_DOUBLE_EQ(both.node_network(two_nodes), 1e6);
  const ExchangeRate rate = both.exchange(two_nodes);
  EXPECT_DOUBLE_EQ(rate.latency, 1e-3);
  EXPECT_DOUBLE_EQ(rate.bandwidth, 1e6 / 4);
  EXPECT_NE(rate.source.find("with 2 ranks of 1 thread"), std::string::npos) << rate.source;
}

TEST(Rates, AFileGivesBackWhatItWasMadeOf) {
  RateSet set = set_of({4, 2, 3}, 10);
  set.latency = 1e-6;
  set.bandwidth = 5e9;
  set.process_bytes = 12345678;
  const Rates rates = rates_of({set});
  const std::string file = testing::TempDir() + "rates.json";
  std::ofstream(file) << rates.text();
  const Rates read = Rates::from_file(file);
  EXPECT_EQ(read.text(), rates.text());
  EXPECT_EQ(read.source(), file);
  EXPECT_EQ(read.process_bytes({4, 2, 3}), 12345678);
  std::filesystem::remove(file);
}

void expect_refused(const std::string& text, const std::string& part) {
  try {
    parse_rates(text, "some.json");
    FAIL() << text;
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("some.json"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Rates, DamagedFilesAreRefused) {
  const std::string good = rates_of({set_of({1, 1, 1}, 10)}).text();
  expect_refused(good.substr(0, good.size() / 2), "damaged");
  expect_refused("{}", "machine");
  expect_refused(R"({"machine": "m", "instruction_set": "i", "sets": []})", "'sets' is empty");
  std::string negative = good;
  negative.replace(negative.find("\"rate\": 10"), 10, "\"rate\": -2");
  expect_refused(negative, "rate = -20 is not positive");
  EXPECT_THROW(Rates::from_file("/nowhere/rates.json"), core::InputError);
  EXPECT_THROW(Rates::from_file("/dev/zero"), core::InputError);
  // Numbers that do not fit are not cast.
  for (const char* key : {"ranks", "threads", "cores", "process_bytes", "peer_bytes"}) {
    nlohmann::json large = nlohmann::json::parse(good);
    large["sets"][0][key] = 1e300;
    expect_refused(large.dump(), std::string(key) + " = 1e+300");
  }
}

TEST(Prediction, EachPhaseIsItsLargestLoadOverTheRate) {
  RateSet set = set_of({2, 2, 1}, 10);
  set.latency = 0.5;
  set.bandwidth = 100;
  const Rates rates = rates_of({set});
  Work work;
  work.add(Item{Kernel::kScalarSynthesis, 256, 1, {50, 30}});
  work.add(Item{Kernel::kScalarSynthesis, 256, 1, {50, 20}});
  work.add(Item{Kernel::kReadHdf5, 1, 1, {1000, 500}});
  work.add(Exchange{.calls = 3, .largest_rank_bytes = 200, .partners = 1});
  ASSERT_EQ(work.items.size(), 2U);
  const Prediction time = predict(work, {2, 2, 1}, rates);
  EXPECT_DOUBLE_EQ(time.of("legendre"), 5);
  EXPECT_DOUBLE_EQ(time.of("read"), 10);  // of all ranks together
  EXPECT_DOUBLE_EQ(time.of("exchange"), 3 * (0.5 + 2));
  EXPECT_DOUBLE_EQ(time.total(), 22.5);
  EXPECT_EQ(time.of("rings"), 0);
}

}  // namespace
}  // namespace armilla::cost
