#include <armilla/core/set_up_count.hpp>
#include <armilla/job/forecast_job.hpp>
#include <armilla/job/parse/job_source.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

#include "job_folder.hpp"
#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using core::SetUpWork;

/// T, Q, U at nside 128 and lmax 256: a synthesis and three iterations.
class Forecast : public testing::Test {
 protected:
  Forecast() {
    std::string table = "# L TT EE BB TE\n";
    for (int l = 2; l <= 256; ++l) table += std::to_string(l) + " 1 1 1 0.1\n";
    folder_.text("dl.dat", table);
    job_ = folder_.text(
        "job.yaml",
        "version: 1\nsteps:\n"
        "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 256, seed: 1, out: a}\n"
        "  - synthesis: {alm: a, grid: {healpix: {nside: 128}}, out: m}\n"
        "  - analysis: {map: m, lmax: 256, method: {jacobi: {iterations: 3}}, out: b}\n"
        "outputs:\n  b: {file: b.h5}\nexecution: {backend: cpu}\n");
  }

  /// Number of operations during a forecast.
  Index counted(SetUpWork work, int ranks) const {
    const Index before = core::set_up_count(work);
    const JobForecast forecast = forecast_job(job_, {.ranks = ranks, .ranks_per_node = 8});
    EXPECT_FALSE(forecast.run.rates.empty());
    return core::set_up_count(work) - before;
  }

  test::JobFolder folder_;
  std::string job_;
};

// Each plan (the own one and at most four for advice) needs the cuts of 256 ring pairs for two spins, and a margin for
// each m of its distributions of coefficients.
TEST_F(Forecast, CubeRootsDoNotDependOnTheRanks) {
  constexpr Index kPlans = 5, kPairs = 256, kSpins = 2, kDistributions = 4;
  const Index most = kPlans * (kSpins * kPairs + kDistributions * (257 + 64));
  for (const int ranks : {16, 64}) EXPECT_LE(counted(SetUpWork::kCubeRoots, ranks), most) << ranks;
}

// Of each plan one exchange volume; and plans of two spins for the memory of the transform and of the iteration on each
// rank that is evaluated: up to 64 all of them, above at most a dozen.
TEST_F(Forecast, ExchangePlansAreThoseOfOneForecast) {
  EXPECT_LE(counted(SetUpWork::kExchangePlans, 16), 16 * 4 + 5);
  EXPECT_LE(counted(SetUpWork::kExchangePlans, 64), 64 * 4 + 5);
  EXPECT_LE(counted(SetUpWork::kExchangePlans, 128), 12 * 4 + 5);
}

TEST_F(Forecast, CoresOfANodeAreThoseThatRanksUseUnlessTheyAreGiven) {
  const auto machine = [&](ForecastOptions options) { return forecast_job(job_, options).machine; };
  EXPECT_EQ(machine({.ranks = 16, .ranks_per_node = 8, .threads = 4}).cores().number, 32);
  EXPECT_EQ(machine({.ranks = 16, .ranks_per_node = 8, .cores_per_node = 48, .threads = 4}).cores().number, 48);
  EXPECT_FALSE(machine({.ranks = 16, .ranks_per_node = 8, .cores_per_node = 16, .threads = 4}).fits_cores());
}

// Advice on layouts would contradict the warning.
TEST_F(Forecast, RanksThatFitNoNodeGetNoAdviceOnLayouts) {
  const JobForecast forecast = forecast_job(job_, {.ranks = 512});
  EXPECT_TRUE(std::ranges::any_of(forecast.run.warnings, [](const std::string& text) {
    return text.find("set --ranks-per-node") != std::string::npos;
  }));
  EXPECT_TRUE(forecast.advice.empty());
}

}  // namespace
}  // namespace armilla::job
