// What execution.backend comes to on devices that are slow, wrong, absent or too small.
#include <armilla/core/error.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <job/device_job.hpp>
#include <job/error_message.hpp>
#include <nlohmann/json.hpp>
#include <support/device_limit.hpp>
#include <support/emulation.hpp>

namespace armilla::job {
namespace {

using test::contains;
using test::Pretend;

const std::string kRandom =
    "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 20, seed: 5, out: truth}\n";
const std::string kMaps = "steps:\n" + kRandom +
                          "  - synthesis: {alm: truth, grid: {gauss: {nlat: 24}}, out: map}\n"
                          "  - analysis: {map: map, lmax: 20, out: found}\n";
const std::string kOutputs = "outputs:\n  map: {file: map.h5}\n  found: {file: found.h5}\n";
const std::string kJob = kMaps + kOutputs;

class BackendChoice : public DeviceJob {
 protected:
  /// As `asked` says; empty: the job says nothing of a backend.
  RunOutcome run(const std::string& body, const std::string& asked = "", RunMode mode = RunMode::kRun) {
    options_.mode = mode;
    options_.overrides.clear();
    if (!asked.empty()) options_.overrides.push_back("execution.backend=" + asked);
    return run_job(world_, job_file(body), options_);
  }

  /// The message of the error of that class that the job ends with; must be the same on all ranks.
  template <class Error>
  std::string failure(const std::string& body, const std::string& asked) {
    std::string message;
    try {
      run(body, asked);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      message = error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "another error: " << error.what();
    }
    EXPECT_EQ(message, world_.broadcast(message));
    return message;
  }

  /// Expects that "auto" came to the CPU, with a warning or note that says so, and the results of the CPU.
  void expect_cpu(const RunOutcome& outcome, const std::string& warning, const std::string& note) {
    const std::string found = bytes_of("found.h5");
    run(kJob, "cpu");
    if (!world_.is_root()) return;
    EXPECT_FALSE(found.empty());
    EXPECT_TRUE(bytes_of("found.h5") == found);
    const RunReport& report = outcome.report;
    const auto json = report_json(report);
    EXPECT_EQ(json["backend"], "cpu");
    EXPECT_FALSE(report.device);
    ASSERT_EQ(report.warnings.size(), warning.empty() ? 0u : 1u);
    ASSERT_EQ(report.notes.size(), note.empty() ? 0u : 1u);
    if (!warning.empty()) {
      EXPECT_TRUE(contains(report.warnings[0], warning));
      EXPECT_TRUE(contains(json["warnings"][0], "job.yaml: automatic backend: "));
    }
    if (!note.empty()) {
      EXPECT_TRUE(contains(report.notes[0], note));
      EXPECT_TRUE(contains(json["notes"][0], "automatic backend: "));
    }
  }

  bool is_last() const { return world_.rank() == world_.size() - 1; }
};

TEST_F(BackendChoice, IsTheDeviceWhereAllIsRight) {
  for (const std::string& body : {kJob, kJob + "execution: {precision: single}\n"}) {
    const bool single = body != kJob;
    if (single && world_.size() > 1) continue;
    const RunOutcome outcome = run(body);
    const std::string found = bytes_of("found.h5");
    run(body, "cuda");
    if (!world_.is_root()) continue;
    EXPECT_TRUE(bytes_of("found.h5") == found) << "other bits than those of cuda";
    const RunReport& report = outcome.report;
    EXPECT_EQ(report.backend, "cuda");
    EXPECT_TRUE(report.warnings.empty());
    EXPECT_TRUE(report.notes.empty());
    EXPECT_TRUE(report.device);
    const auto check = report_json(report)["device_check"];
    EXPECT_EQ(check["device"], "emulated");
    EXPECT_EQ(check["passed"], true);
    EXPECT_EQ(check["kept"], false);
    EXPECT_EQ(check["limit"], single ? 1e-5 : 1e-11);
    EXPECT_GT(check["relative_rms"], 0.0);
    EXPECT_LT(check["relative_rms"], single ? 1e-6 : 1e-12);
    EXPECT_TRUE(contains(outcome.text, "device check: GPU 'emulated' differs from the CPU by "));
  }
}

TEST_F(BackendChoice, RestsOnOneCheckForAllJobsOfAProcess) {
  world_ = comm::Communicator::world();
  run(kJob);
  const Pretend wrong({.row_error = is_last() ? 1e-7 : 0.0});  // as a check would find
  const RunOutcome later = run(kJob);
  if (!world_.is_root()) return;
  EXPECT_EQ(later.report.backend, "cuda");
  EXPECT_EQ(report_json(later.report)["device_check"]["kept"], true);
  EXPECT_TRUE(contains(later.text, "at most 1e-11; result of an earlier check"));
}

TEST_F(BackendChoice, IsKnownToADryRun) {
  const std::string text = run(kJob, "", RunMode::kDryRun).text;
  if (!world_.is_root()) return;
  EXPECT_TRUE(contains(text, "backend cuda"));
  EXPECT_TRUE(contains(text, "device check: GPU 'emulated' differs"));
  EXPECT_TRUE(contains(text, "predicted peak device memory per rank: "));
}

TEST_F(BackendChoice, IsTheCpuWhereADeviceIsWrong) {
  for (const bool everywhere : {true, false}) {
    if (everywhere != (world_.size() == 1)) continue;  // on several ranks, one device is wrong
    const Pretend wrong({.row_error = everywhere || is_last() ? 1e-7 : 0.0});
    const RunOutcome outcome = run(kJob);
    if (world_.is_root()) {
      const auto check = report_json(outcome.report)["device_check"];
      EXPECT_EQ(check["passed"], false);
      EXPECT_GT(check["relative_rms"], 1e-11);
      EXPECT_TRUE(contains(outcome.text, "device check: GPU 'emulated' FAILED"));
    }
    expect_cpu(outcome, "so all ranks compute on CPUs. GPU 'emulated' of rank ", "");
    const std::string message = failure<core::ResourceError>(kJob, "cuda");
    const int rank = everywhere ? 0 : world_.size() - 1;
    EXPECT_TRUE(contains(message, "backend cuda: the device check before the run failed"));
    EXPECT_TRUE(contains(message, "GPU 'emulated' of rank " + std::to_string(rank) + " on "));
    EXPECT_TRUE(contains(message, "has a relative rms error of "));
    EXPECT_TRUE(contains(message, "choose the backend cpu"));
  }
}

TEST_F(BackendChoice, IsTheCpuWhereADeviceFails) {
  const Pretend failing({.fails = is_last()});
  const RunOutcome outcome = run(kJob);
  if (world_.is_root()) {
    EXPECT_TRUE(report_json(outcome.report)["device_check"].dump().find("\"relative_rms\":null") != std::string::npos);
  }
  expect_cpu(outcome, "CUDA: work on the GPU failed", "");
  EXPECT_TRUE(contains(failure<core::ResourceError>(kJob, "cuda"), "CUDA: work on the GPU failed"));
}

TEST_F(BackendChoice, IsTheCpuWhereDevicesAreSlow) {
  const Pretend slow({.single_to_double = is_last() ? 64 : 2});
  const RunOutcome outcome = run(kJob);
  expect_cpu(outcome, "", "1/64 of its FP32 rate, and most of a transform is in FP64");
  if (world_.is_root()) {
    EXPECT_TRUE(contains(outcome.report.notes[0], "choose the backend cuda to use the GPU anyway"));
    EXPECT_FALSE(outcome.report.device_check);
  }
  const RunOutcome named = run(kJob, "cuda");
  if (world_.is_root()) {
    EXPECT_EQ(named.report.backend, "cuda");
    EXPECT_TRUE(named.report.device_check->passed);
  }
}

TEST_F(BackendChoice, IsTheCpuForAllWhereOneRankHasNoDevice) {
  if (world_.size() == 1) return;
  const Pretend absent({.visible = !is_last()});
  const RunOutcome outcome = run(kJob);
  expect_cpu(outcome, "1 of " + std::to_string(world_.size()) + " ranks cannot use the GPUs that the others see", "");
  EXPECT_TRUE(contains(failure<core::ResourceError>(kJob, "cuda"), "no GPU is visible"));
}

TEST_F(BackendChoice, SaysNothingWhereThereAreNoDevices) {
  const Pretend absent({.visible = false});
  const RunOutcome outcome = run(kJob);
  expect_cpu(outcome, "", "");
  if (world_.is_root()) {
    EXPECT_FALSE(report_json(outcome.report).contains("device_check"));
  }
  EXPECT_TRUE(contains(run(kJob, "", RunMode::kDryRun).text, world_.is_root() ? "backend cpu" : ""));
}

TEST_F(BackendChoice, IsTheCpuForWhatDevicesCannotDo) {
  const RunOutcome engine = run(kJob + "execution: {engine: fast}\n");
  expect_cpu(engine, "", "the engine fast is one for CPUs");
}

TEST_F(BackendChoice, IsTheCpuWhereDevicesAreTooSmall) {
  const std::string large = "steps:\n" + kRandom +
                            "  - synthesis: {alm: truth, grid: {healpix: {nside: 256}}, out: map}\n"
                            "outputs:\n  map: {file: map.h5}\n";
  options_.overrides = {"execution.backend=cuda"};
  const test::DeviceLimit limit(world_, planned(large).needed - 4096);
  const RunOutcome outcome = run(large);
  if (world_.is_root()) {
    EXPECT_EQ(outcome.report.backend, "cpu");
    EXPECT_FALSE(outcome.report.device);
    ASSERT_EQ(outcome.report.warnings.size(), 1u);
    EXPECT_TRUE(contains(outcome.report.warnings[0], "all ranks compute on CPUs, although their GPUs work"));
    EXPECT_TRUE(contains(outcome.report.warnings[0], "of GPU memory per rank, but only"));
  }
  const std::string message = failure<core::ResourceError>(large, "cuda");
  for (const char* text :
       {"job.yaml: the job needs ", "use more ranks and GPUs", "execution.precision: single", "execution.backend: cpu"})
    EXPECT_TRUE(contains(message, text));
}

TEST_F(BackendChoice, IsOneForAllGroupsOfACampaign) {
  const std::string campaign =
      "steps:\n"
      "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 20, seed: 5, maps: 6, out: truth}\n"
      "  - synthesis: {alm: truth, grid: {gauss: {nlat: 24}}, out: map}\n"
      "outputs:\n  map: {file: \"found_{}.h5\"}\n";
  RunOutcome outcome = run(campaign);
  if (world_.is_root()) {
    EXPECT_EQ(outcome.report.backend, "cuda");
    EXPECT_EQ(outcome.report.campaign->groups, world_.size());
    EXPECT_TRUE(outcome.report.device_check->passed);
  }
  const Pretend wrong({.transform_error = is_last() ? 1e-3 : 0.0});
  outcome = run(campaign);
  if (!world_.is_root()) return;
  EXPECT_EQ(outcome.report.backend, "cpu");
  EXPECT_EQ(outcome.report.campaign->groups, world_.size());
  ASSERT_EQ(outcome.report.warnings.size(), 1u);
  EXPECT_TRUE(contains(outcome.report.warnings[0], "the ring stage of synthesis"));
}

TEST_F(BackendChoice, TouchesNoDeviceWithoutTransforms) {
  const Pretend failing({.fails = true});
  for (const std::string& asked : {std::string("auto"), std::string("cuda")}) {
    const RunOutcome outcome = run("steps:\n" + kRandom +
                                       "  - spectra: {alm: truth, out: cl}\n"
                                       "outputs:\n  cl: {file: cl.dat}\n",
                                   asked);
    if (!world_.is_root()) continue;
    EXPECT_EQ(outcome.report.backend, asked == "auto" ? "cpu" : "cuda");
    EXPECT_TRUE(outcome.report.warnings.empty());
    EXPECT_FALSE(outcome.report.device_check);
  }
}

}  // namespace
}  // namespace armilla::job
