#include <armilla/job/parse/parse_job.hpp>

#include <fstream>
#include <string>
#include <vector>

#include "error_message.hpp"
#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>

namespace armilla::job {
namespace {

using test::contains;
using test::input_error;

std::string limit_error(const std::string& text, const std::vector<std::string>& overrides) {
  return input_error([&] { parse_job(text, "job.yaml", overrides); });
}

TEST(JobLimits, DeepSectionsAreRefused) {
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  for (const int levels : {100, 30000})
    for (const std::string& text : {"version: 1\nsteps: " + repeated("[", levels) + repeated("]", levels),
                                    "version: 1\nsteps: " + repeated("{a: ", levels) + repeated("}", levels),
                                    "version: 1\nsteps:\n  " + repeated("- ", levels) + "x\n"})
      EXPECT_TRUE(contains(limit_error(text, {}), "sections are nested more than 64 levels deep")) << levels;
  const std::string good = "version: 1\nsteps:\n  - random_alm: {spectrum: cl.dat, lmax: 3, seed: 1, out: a}\n";
  for (const std::string& option :
       {"steps" + repeated(".0", 30000) + "=1", repeated("a.", 30000) + "a=1", repeated("a.", 64) + "a=1"})
    EXPECT_TRUE(contains(limit_error(good, {option}), "levels, but at most 64 are supported")) << option.substr(0, 20);
  EXPECT_TRUE(contains(limit_error(good, {"steps=" + repeated("[", 30000)}), "--set steps=[[["));
}

TEST(JobLimits, SizeOfAFile) {
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "job.yaml").string();
  std::ofstream(path) << "version: 1\n# " << std::string(std::size_t{16} << 20, 'x') << "\n";
  const std::string error = input_error([&] { JobSource(path).text(); });
  EXPECT_TRUE(contains(error, "'" + path + "' has more than 16 MiB"));
  EXPECT_TRUE(contains(input_error([] { JobSource("/dev/zero").text(); }), "it is a device"));
  std::ofstream(path) << "version: 1\n";
  EXPECT_EQ(JobSource(path).text(), "version: 1\n");
}

}  // namespace
}  // namespace armilla::job
