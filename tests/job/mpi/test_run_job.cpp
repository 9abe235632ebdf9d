#include <armilla/comm/phase.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/report/report.hpp>
#include <armilla/job/run_job.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "job/error_message.hpp"
#include "job/job_folder.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace armilla::job {
namespace {

namespace fs = std::filesystem;
using test::contains;

/// One folder for all ranks, made by the root.
class RunJob : public testing::Test {
 protected:
  RunJob() : world_(comm::Communicator::world()) {
    if (world_.is_root()) {
      own_ = std::make_unique<test::JobFolder>();
      own_->spectra("dl.dat");
      own_->map("tqu.h5", grid::make_healpix(8), {"T", "Q", "U"}, 3);
    }
    folder_ = world_.broadcast(own_ ? own_->path("") : std::string());
    options_.verbosity = Verbosity::kQuiet;
  }
  ~RunJob() override { world_.barrier(); }

  std::string job(const std::string& body) const {
    const std::string file = folder_ + "job.yaml";
    if (own_) own_->text("job.yaml", "version: 1\n" + body);
    return file;
  }

  /// The message that the job ends with; must be the same on all ranks.
  std::string failure(const std::string& body) {
    std::string message;
    try {
      run_job(world_, job(body), options_);
      ADD_FAILURE() << "no error";
    } catch (const core::Error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, world_.broadcast(message));
    return message;
  }

  bool exists(const std::string& file) const { return fs::exists(folder_ + file); }

  comm::Communicator world_;
  std::unique_ptr<test::JobFolder> own_;
  std::string folder_;
  RunOptions options_;
};

const std::string kRoundTrip =
    "steps:\n"
    "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 31, seed: 5, out: truth}\n"
    "  - synthesis: {alm: truth, grid: {gauss: {nlat: 32}}, out: map}\n"
    "  - analysis: {map: map, lmax: 31, out: found}\n"
    "  - compare: {alm: found, reference: truth}\n"
    "  - spectra: {alm: found, out: cl}\n"
    "outputs:\n  map: {file: map.h5}\n  found: {file: found.fits}\n  cl: {file: cl.dat}\n";

/// Of each component, by the step compare of that job.
std::vector<std::pair<std::string, double>> relative_rms(const RunOutcome& outcome) {
  const Finding* const found = find_finding(outcome.report.findings, "comparisons", "steps[3].compare");
  EXPECT_NE(found, nullptr);
  if (found == nullptr) return {};
  return found->value<LargestOverMaps>("relative_rms").components;
}

// claims: step synthesis, step analysis
TEST_F(RunJob, RoundTripOnAGaussGridIsExactAndReported) {
  options_.report_file = folder_ + "report.json";
  const RunOutcome outcome = run_job(world_, job(kRoundTrip), options_);
  if (!world_.is_root()) return;
  ASSERT_EQ(outcome.report.findings.size(), 1u);
  ASSERT_EQ(relative_rms(outcome).size(), 3u);
  // A few dozen roundings per coefficient, on a sky whose B is 30 times weaker than E: 31 * 2^-52 * 30 = 2e-13.
  for (const auto& [name, error] : relative_rms(outcome)) {
    EXPECT_LT(error, 2e-13) << name;
    EXPECT_GT(error, 0) << name;
  }
  const auto json = report_json(outcome.report);
  EXPECT_EQ(json["ranks"], world_.size());
  EXPECT_EQ(json["backend"], "cpu");
  EXPECT_EQ(json["files"].size(), 3u);
  EXPECT_GT(json["files"][0]["bytes"], 3 * 32 * 64 * 8);
  EXPECT_EQ(json["exchange_bytes"]["total"] > 0, world_.size() > 1);
  for (const std::string phase : {"random_alm", "legendre", "exchange", "rings", "write"}) {
    bool found = phase == "exchange" && world_.size() == 1;  // one rank has nobody to exchange with
    for (const auto& entry : json["phases"]) found = found || (entry["name"] == phase && entry["max"] >= entry["min"]);
    EXPECT_TRUE(found) << phase;
  }
  EXPECT_GT(json["memory"]["measured"]["max"], 1 << 20);
  EXPECT_TRUE(json["theta_resampling"].empty());  // too small for it
  EXPECT_TRUE(exists("report.json"));
  EXPECT_TRUE(contains(outcome.text, "relative rms error of 'found' against 'truth'"));
}

TEST_F(RunJob, SinglePrecisionTakesTheSameWay) {
  options_.overrides = {"execution.precision=single"};
  const RunOutcome outcome = run_job(world_, job(kRoundTrip), options_);
  if (!world_.is_root()) return;
  // As in double precision, with 2^-23 in place of 2^-52.
  for (const auto& [name, error] : relative_rms(outcome)) {
    EXPECT_LT(error, 1e-4) << name;
    EXPECT_GT(error, 1e-12) << name;
  }
  EXPECT_EQ(io::open_map(folder_ + "map.h5").precision, core::Precision::kSingle);
}

TEST_F(RunJob, ReusesTheTransformsOfTheLastJob) {
  options_.report_file = folder_ + "report.json";
  const RunOutcome alone = run_job(world_, job(kRoundTrip), options_);
  transform::TransformCache cache(world_);
  cache.set_limit({core::Index{1} << 30, 0});
  options_.transforms = &cache;
  for (int run = 0; run < 2; ++run) {
    const RunOutcome outcome = run_job(world_, job(kRoundTrip), options_);
    EXPECT_EQ(cache.counts().built, 1);
    EXPECT_EQ(cache.counts().reused, run);
    EXPECT_EQ(cache.counts().kept, 1);
    if (!world_.is_root()) continue;
    EXPECT_EQ(outcome.report.checksums.size(), 3u);
    EXPECT_EQ(report_json(outcome.report)["checksums"], report_json(alone.report)["checksums"]);
    EXPECT_EQ(report_json(outcome.report)["comparisons"], report_json(alone.report)["comparisons"]);
    EXPECT_EQ(outcome.report.exchange_bytes.max, alone.report.exchange_bytes.max) << "counted in each run";
  }
}

TEST_F(RunJob, ThetaResamplingIsPlannedReportedAndExact) {
  options_.overrides = {"execution.theta_resampling=on"};
  options_.mode = RunMode::kDryRun;
  const RunOutcome planned = run_job(world_, job(kRoundTrip), options_);
  options_.mode = RunMode::kRun;
  const RunOutcome outcome = run_job(world_, job(kRoundTrip), options_);
  if (!world_.is_root()) return;
  // lmax 31: the least set of rings that fixes it has 16 pairs, and the grid 16 as well.
  EXPECT_TRUE(contains(planned.text, ", theta resampled to 16 ring pairs from 16"));
  EXPECT_TRUE(contains(outcome.text, "steps[1].synthesis: theta resampled to 16 ring pairs from 16"));
  const auto json = report_json(outcome.report);
  ASSERT_EQ(json["theta_resampling"].size(), 2u);
  EXPECT_EQ(json["theta_resampling"][0]["step"], "steps[1].synthesis");
  EXPECT_EQ(json["theta_resampling"][0]["grid_pairs"], 16);
  EXPECT_EQ(json["theta_resampling"][0]["legendre_pairs"], 16);
  // Resampling leaves 1e-13 twice, on a sky whose B is 30 times weaker than E.
  for (const auto& [name, error] : relative_rms(outcome)) EXPECT_LT(error, 6e-12) << name;
}

TEST_F(RunJob, DryRunSaysThePlanAndWritesNothing) {
  options_.mode = RunMode::kDryRun;
  const RunOutcome outcome = run_job(world_, job(kRoundTrip), options_);
  EXPECT_FALSE(exists("map.h5"));
  if (!world_.is_root()) return;
  EXPECT_TRUE(contains(outcome.text, "steps[1].synthesis: 'truth' -> 'map' T,Q,U on gauss"));
  EXPECT_TRUE(contains(outcome.text, "steps[2].analysis: 'map' -> 'found' T,E,B to lmax 31, mmax 31"));
  EXPECT_TRUE(contains(outcome.text, "predicted peak memory per rank"));
  EXPECT_TRUE(contains(outcome.text, "map.h5 (about"));
}

TEST_F(RunJob, AnErrorOfOneRankIsTheErrorOfAll) {
  const int last = world_.size() - 1;
  options_.after_validation = [&] {
    if (world_.rank() == last) throw core::ResourceError("the last rank fell");
  };
  const std::string message = failure(kRoundTrip);
  EXPECT_EQ(message.rfind("the last rank fell", 0), 0u) << message;
  // The ranks of tests are those of MPI_COMM_WORLD.
  if (world_.size() > 1) {
    EXPECT_TRUE(contains(message, " (rank " + std::to_string(last) + " on host "));
  }
  EXPECT_FALSE(exists("map.h5"));
}

TEST_F(RunJob, AnInputThatDisappearsOnOneRankEndsTheJobOnAll) {
  // Each rank works in a folder of its own, as on node-local disks, with equal copies of the inputs.
  const fs::path before = fs::current_path();
  const std::string mine = folder_ + "rank" + std::to_string(world_.rank());
  fs::create_directory(mine);
  fs::copy_file(folder_ + "tqu.h5", mine + "/tqu.h5");
  const std::string body =
      "version: 1\ninputs:\n  sky: {map: tqu.h5}\nsteps:\n  - analysis: {map: sky, lmax: 16, out: a}\n"
      "outputs:\n  a: {file: a.h5}\n";
  std::ofstream(mine + "/job.yaml") << body;
  fs::current_path(mine);
  options_.after_validation = [&] {
    if (world_.rank() == world_.size() - 1) fs::remove("tqu.h5");
  };
  std::string message;
  try {
    run_job(world_, "job.yaml", options_);
    ADD_FAILURE() << "no error";
  } catch (const core::InputError& error) {
    message = error.what();
  }
  fs::current_path(before);
  EXPECT_EQ(message, world_.broadcast(message));
  EXPECT_TRUE(contains(message, "tqu.h5"));
  EXPECT_FALSE(fs::exists(mine + "/a.h5"));
}

TEST_F(RunJob, RanksThatSeeDifferentFilesAreRefused) {
  const fs::path before = fs::current_path();
  const std::string mine = folder_ + "other" + std::to_string(world_.rank());
  fs::create_directory(mine);
  fs::current_path(mine);
  if (world_.rank() == 1) {
    const test::JobFolder small;
    small.map("tqu.h5", grid::make_healpix(4), {"T", "Q", "U"}, 3);
    fs::copy_file(small.path("tqu.h5"), "tqu.h5");
  } else {
    fs::copy_file(folder_ + "tqu.h5", "tqu.h5");
  }
  std::ofstream("job.yaml") << "version: 1\ninputs:\n  sky: {map: tqu.h5}\nsteps: []\noutputs:\n  sky: {file: a.h5}\n";
  std::string message;
  try {
    run_job(world_, "job.yaml", options_);
  } catch (const core::InputError& error) {
    message = error.what();
  }
  fs::current_path(before);
  if (world_.size() == 1) {
    EXPECT_EQ(message, "");
  } else {
    EXPECT_TRUE(contains(message, "rank 1 finds input files that differ from those of rank 0"));
  }
}

TEST_F(RunJob, BadPixelsAreCountedOverAllRanksAndTreatedAsAsked) {
  if (own_) {
    const dist::PixelDistribution pixels(std::make_shared<const grid::RingGrid>(grid::make_healpix(8)), 1);
    std::vector<double> values(768, 1.0);
    for (const std::size_t i : {0, 100, 767}) values[i] = std::nan("");
    for (const std::size_t i : {5, 400}) values[i] = io::kBadPixel;
    own_->write_map("holes.h5", pixels, {"T"}, values);
  }
  const std::string body =
      "inputs:\n  sky: {map: holes.h5}\nsteps:\n  - analysis: {map: sky, lmax: 8, out: a}\noutputs:\n  a: {file: "
      "a.h5}\n";
  const std::string message = failure(body);
  EXPECT_TRUE(contains(message, "job.yaml:3: inputs.sky: map file"));
  EXPECT_TRUE(contains(message, "has 3 NaN or infinite and 2 bad or missing pixels"));
  options_.overrides = {"inputs.sky.bad_data=zero"};
  const RunOutcome outcome = run_job(world_, job(body), options_);
  if (!world_.is_root()) return;
  ASSERT_EQ(outcome.report.zeroed.size(), 1u);
  EXPECT_EQ(outcome.report.zeroed[0].pixels.nan, 3);
  EXPECT_EQ(outcome.report.zeroed[0].pixels.bad_data, 2);
}

TEST_F(RunJob, InputsMayBeWrittenAsTheyAre) {
  run_job(world_,
          job("inputs:\n  sky: {map: tqu.h5, fields: [Q, U]}\noutputs:\n  sky: {file: qu.fits, ordering: nested}\n"),
          options_);
  const io::MapInfo info = io::open_map(folder_ + "qu.fits");
  EXPECT_EQ(info.ordering, io::Ordering::kNested);
  EXPECT_EQ(info.metadata.fields, (std::vector<std::string>{"Q", "U"}));
  std::vector<double> values(768);
  const dist::PixelRange all{0, 768};
  io::read_map<double>(info, 0, {&all, 1}, values, io::BadDataPolicy::kError);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], 1.0 + static_cast<double>((i + 768) % 97));
}

TEST_F(RunJob, AMissingJobFileIsNamed) {
  std::string message;
  try {
    run_job(world_, folder_ + "none.yaml", options_);
  } catch (const core::InputError& error) {
    message = error.what();
  }
  EXPECT_TRUE(contains(message, "none.yaml' cannot be opened for reading (No such file"));
}

}  // namespace
}  // namespace armilla::job

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
