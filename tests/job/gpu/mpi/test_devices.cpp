// Jobs on the CUDA backend: the memory of devices that is announced, and jobs for which they are too small.
#include <armilla/core/error.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <job/device_job.hpp>
#include <job/error_message.hpp>
#include <nlohmann/json.hpp>
#include <support/device.hpp>
#include <support/device_limit.hpp>
#include <support/mpi_main.hpp>

namespace armilla::job {
namespace {

using test::contains;

const std::string kIterated =
    "steps:\n"
    "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, seed: 5, out: truth}\n"
    "  - synthesis: {alm: truth, grid: {healpix: {nside: 32}}, out: map}\n"
    "  - analysis: {map: map, lmax: 40, method: {jacobi: {iterations: 2}}, out: found}\n"
    "  - smooth: {alm: found, fwhm_arcmin: 60, out: smooth}\n"
    "  - synthesis: {alm: smooth, grid: {gauss: {nlat: 64}}, out: other}\n"
    "outputs:\n  map: {file: map.h5}\n  other: {file: other.h5}\n"
    "execution: {backend: cuda}\n";

const std::string kImmediate =
    "steps:\n"
    "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, seed: 5, out: truth}\n"
    "  - synthesis: {alm: truth, grid: {healpix: {nside: 16}}, out: map}\n"
    "  - analysis: {map: map, lmax: 40, method: {immediate: {iterations: 2}}, out: found}\n"
    "outputs:\n  found: {file: found.h5}\n"
    "execution: {backend: cuda}\n";

const std::string kImmediateCampaign =
    "steps:\n"
    "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, seed: 5, maps: 5, out: "
    "truth}\n"
    "  - synthesis: {alm: truth, grid: {healpix: {nside: 16}}, out: map}\n"
    "  - analysis: {map: map, lmax: 40, method: {immediate: {iterations: 1}}, out: found}\n"
    "outputs:\n  found: {file: \"found_{}.h5\"}\n"
    "execution: {backend: cuda, map_groups: 1, batch: 2}\n";

const std::string kFit =
    "steps:\n"
    "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 20, seed: 5, out: truth}\n"
    "  - synthesis: {alm: truth, grid: {healpix: {nside: 16}}, out: map}\n"
    "  - analysis: {map: map, lmax: 20, method: {lsmr: {tolerance: 1.0e-6}}, out: found}\n"
    "outputs:\n  found: {file: found.h5}\n"
    "execution: {backend: cuda}\n";

const std::string kCampaign =
    "steps:\n"
    "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, seed: 5, maps: 8, out: "
    "truth}\n"
    "  - synthesis: {alm: truth, grid: {healpix: {nside: 32}}, out: map}\n"
    "  - analysis: {map: map, lmax: 40, method: {jacobi: {iterations: 1}}, out: found}\n"
    "  - spectra: {alm: found, out: cl}\n"
    "  - statistics: {spectra: cl, out: table}\n"
    "outputs:\n  map: {file: \"map_{}.h5\"}\n  table: {file: table.h5}\n"
    "execution: {backend: cuda, map_groups: 1}\n";

const std::string kConvolved =
    "steps:\n"
    "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 40, seed: 5, out: a}\n"
    "  - synthesis: {alm: a, grid: {healpix: {nside: 128}}, out: map}\n"
    "  - convolve: {map: map, method: rings, kernels: [{name: fine, gaussian: {fwhm_arcmin: 40}}, "
    "{name: coarse, gaussian: {fwhm_arcmin: 200}, grid: {healpix: {nside: 32}}}]}\n"
    "outputs:\n  fine: {file: fine.h5}\n  coarse: {file: coarse.h5}\n"
    "execution: {backend: cuda}\n";

// What the check of devices before a run takes.
constexpr Index kOfCheck = Index{10} << 20;

// A body with other words in place of some.
std::string with(std::string body, const std::string& words, const std::string& others) {
  return body.replace(body.find(words), words.size(), others);
}

class Devices : public DeviceJob {
 protected:
  RunOutcome run(const std::string& body) {
    const std::string file = job_file(body);
    kernels::forget_peak();
    return run_job(world_, file, options_);
  }

  /// Runs the job; its devices took no more than was announced.
  void expect_announced(const std::string& body, const std::string& precision) {
    options_.overrides = {"execution.precision=" + precision};
    const RunOutcome outcome = run(body);
    if (!world_.is_root()) return;
    ASSERT_TRUE(outcome.report.device);
    EXPECT_GT(outcome.report.device->peak.min, 1 << 20);
    // Ranks have different numbers of rings, of whole maps, and of lanes of the ring stage.
    const auto& announced = outcome.report.device->announced;
    EXPECT_LT(outcome.report.device->peak.max, announced.max) << body;
    EXPECT_LT(outcome.report.device->peak.min, announced.min) << body;
    EXPECT_EQ(report_json(outcome.report)["device_memory"]["announced"]["max"], announced.max);
    EXPECT_TRUE(contains(outcome.text, "peak device memory per rank: "));
  }

  /// In the run as in a dry run, before anything is computed.
  void expect_refusal(const std::string& body) {
    run(body);
    const DevicePlan plan = planned(body);
    {
      const test::DeviceLimit limit(world_, std::max(plan.needed, kOfCheck));
      const RunOutcome outcome = run(body);
      if (world_.is_root()) {
        EXPECT_LE(outcome.report.device->peak.max, outcome.report.device->announced.max);
      }
    }
    const Index room = plan.needed - 4096;
    const test::DeviceLimit limit(world_, room);
    for (const RunMode mode : {RunMode::kRun, RunMode::kDryRun}) {
      options_.mode = mode;
      try {
        run(body);
        FAIL() << "it took what is not there";
      } catch (const core::ResourceError& error) {
        // The check of the device comes first in a run, and may need more.
        const std::string text = error.what();
        if (mode == RunMode::kRun && room < kOfCheck && contains(text, "the device check before the run failed"))
          continue;
        for (const char* part : {"job.yaml: the job needs ", "of GPU memory per rank, but only", "execution.batch",
                                 "fewer ranks per GPU", "execution.precision: single", "execution.backend: cpu"})
          EXPECT_TRUE(contains(text, part)) << text;
      }
    }
    options_.mode = RunMode::kRun;
  }

  void expect_smaller_batches() {
    run(kCampaign);
    const std::string whole = bytes_of("map_7.h5");
    const DevicePlan one = planned(kCampaign, 1);
    const DevicePlan four = planned(kCampaign, 4);
    ASSERT_GT(four.needed, one.needed);
    Index batch = 0;
    for (const Index room : {one.needed, four.needed}) {
      const test::DeviceLimit limit(world_, room);
      const RunOutcome outcome = run(kCampaign);
      if (!world_.is_root()) continue;
      EXPECT_LE(outcome.report.device->peak.max, outcome.report.device->announced.max);
      EXPECT_GT(outcome.report.campaign->batch, batch);
      EXPECT_LE(outcome.report.campaign->batch, room == one.needed ? 1 : 7);
      batch = outcome.report.campaign->batch;
      EXPECT_TRUE(bytes_of("map_7.h5") == whole);
    }
  }
};

class DevicesSweep : public Devices {};

TEST_F(Devices, TakeAtMostWhatIsAnnounced) {
  ARMILLA_NEEDS_DEVICE();
  expect_announced(kIterated, "single");
  expect_announced(kImmediateCampaign, "double");
  expect_announced(kConvolved, "double");
  if (world_.size() > 1) return;
  expect_announced(kFit, "double");
  expect_announced(kCampaign, "single");
  expect_announced(kImmediate, "single");
}

TEST_F(DevicesSweep, TakeAtMostWhatIsAnnounced) {
  ARMILLA_NEEDS_DEVICE();
  for (const std::string& body : {kIterated, kFit, kCampaign, kImmediate, kImmediateCampaign, kConvolved})
    for (const char* precision : {"double", "single"})
      if (precision != std::string("single") || body != kFit) expect_announced(body, precision);
}

TEST_F(Devices, ThatAreTooSmallRefuseAJob) {
  ARMILLA_NEEDS_DEVICE();
  // The first two differ from rank to rank.
  if (world_.size() > 1)
    for (const std::string& body : {kImmediate, kConvolved}) expect_refusal(body);
  else
    for (const std::string& body : {kIterated, kFit}) expect_refusal(body);
}

TEST_F(DevicesSweep, ThatAreTooSmallRefuseAJob) {
  ARMILLA_NEEDS_DEVICE();
  for (const std::string& body : {kIterated, kFit, kImmediate, kConvolved}) expect_refusal(body);
}

// Files of all maps are those of one rank alone, bit for bit, whatever the batch.
TEST_F(Devices, IterateMapsOfACampaignAsSingleOnes) {
  ARMILLA_NEEDS_DEVICE();
  run(kImmediateCampaign);
  const std::string first = bytes_of("found_0.h5");
  const std::string last = bytes_of("found_4.h5");
  for (const char* batch : {"1", "5"}) {
    run(with(kImmediateCampaign, "batch: 2", std::string("batch: ") + batch));
    if (!world_.is_root()) continue;
    EXPECT_FALSE(first.empty());
    EXPECT_TRUE(bytes_of("found_0.h5") == first) << batch;
    EXPECT_TRUE(bytes_of("found_4.h5") == last) << batch;
  }
}

TEST_F(Devices, HaveSmallerBatchesWhereTheyAreSmaller) {
  ARMILLA_NEEDS_DEVICE();
  if (world_.size() == 1) expect_smaller_batches();
}

TEST_F(DevicesSweep, HaveSmallerBatchesWhereTheyAreSmaller) {
  ARMILLA_NEEDS_DEVICE();
  if (world_.size() > 1) expect_smaller_batches();
}

// In bands of rings; files are bitwise identical to those of a run that has the whole map on the device.
TEST_F(Devices, ConvolveMapsThatDoNotFit) {
  ARMILLA_NEEDS_DEVICE();
  run(kConvolved);
  const std::string fine = bytes_of("fine.h5"), coarse = bytes_of("coarse.h5");
  const DevicePlan plan = planned(kConvolved);
  const test::DeviceLimit limit(world_, plan.needed);
  EXPECT_LT(planned(kConvolved).work_bytes, plan.work_bytes);
  const RunOutcome outcome = run(kConvolved);
  if (!world_.is_root()) return;
  EXPECT_LE(outcome.report.device->peak.max, outcome.report.device->announced.max);
  EXPECT_TRUE(bytes_of("fine.h5") == fine);
  EXPECT_TRUE(bytes_of("coarse.h5") == coarse);
}

TEST_F(Devices, AreInTheForecastOfADryRun) {
  ARMILLA_NEEDS_DEVICE();
  options_.mode = RunMode::kDryRun;
  std::string text = run(kIterated).text;
  if (world_.is_root()) {
    EXPECT_TRUE(contains(text, "device/rank")) << text;
    EXPECT_TRUE(contains(text, "predicted peak device memory per rank: ")) << text;
    EXPECT_TRUE(contains(text, "(fields ")) << text;
    EXPECT_TRUE(contains(text, " is needed; available per rank: ")) << text;
  }
  options_.overrides = {"execution.backend=cpu"};
  text = run(kIterated).text;
  if (world_.is_root()) {
    EXPECT_FALSE(contains(text, "device")) << text;
  }
}

}  // namespace
}  // namespace armilla::job

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
