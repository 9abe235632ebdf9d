#include <armilla/job/journal/output_space.hpp>
#include <armilla/job/parse/parse_job.hpp>

#include <filesystem>
#include <string>

#include "error_message.hpp"
#include "job_folder.hpp"
#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using test::contains;

/// A campaign of four maps whose outputs need shares of the free space: `own` for the files of each map, `together` for
/// the file of all maps.
class OutputSpace : public testing::Test {
 protected:
  JobPlan plan(double own, double together, const std::string& folder = "") const {
    folder_.spectra("dl.dat");
    if (!folder.empty()) std::filesystem::create_directory(folder_.path(folder));
    JobPlan plan = plan_job(
        comm::Communicator::self(),
        parse_job(
            "version: 1\nsteps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 8, seed: "
            "1, maps: 4, out: a}\n  - synthesis: {alm: a, grid: {healpix: {nside: 4}}, out: m}\noutputs:\n  m: "
            "{file: \"" +
                folder + "m_{}.h5\"}\n  a: {file: a.h5}\nexecution: {backend: cpu}\n",
            folder_.path("job.yaml")));
    const auto free = static_cast<double>(std::filesystem::space(folder_.path("")).available);
    plan.outputs[0].bytes = 4 * static_cast<Index>(own * free);
    plan.outputs[1].bytes = 4 * static_cast<Index>(together * free);
    return plan;
  }
  static std::string refusal(const JobPlan& plan, std::vector<Index> items) {
    try {
      check_output_space(plan, {.items = std::move(items)});
    } catch (const core::ResourceError& error) {
      return error.what();
    }
    return "";
  }

  test::JobFolder folder_;
};

TEST_F(OutputSpace, CountsOnlyMapsOfTheRun) {
  const JobPlan files = plan(0.3, 0);
  EXPECT_TRUE(contains(refusal(files, {0, 1, 2, 3}), "outputs.m: the file system of folder"));
  EXPECT_EQ(refusal(files, {1, 3}), "");
  EXPECT_EQ(refusal(files, {}), "");
  const JobPlan one = plan(0, 0.3);
  EXPECT_TRUE(contains(refusal(one, {1, 3}), "outputs.a: the file system of folder")) << "the whole file is reserved";
}

TEST_F(OutputSpace, AddsAllFoldersOfAFileSystem) {
  const JobPlan both = plan(0.15, 0.15, "maps/");  // of four maps: 0.6 + 0.6
  EXPECT_TRUE(contains(refusal(both, {0, 1, 2, 3}), "but all outputs on it need"));
  EXPECT_EQ(refusal(both, {0, 1}), "");
}

}  // namespace
}  // namespace armilla::job
