// config/job.schema.json is what the tables of keys say; each step has an example, which is a valid section.
#include <armilla/core/error.hpp>
#include <armilla/job/command/command_example.hpp>
#include <armilla/job/command/step_command.hpp>
#include <armilla/job/key_schema.hpp>
#include <armilla/job/parse/parse_job.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/reference_data.hpp>

namespace armilla::job {
namespace {

TEST(KeySchema, IsTheFileInTheRepository) {
  const std::string file = test::source_file("config/job.schema.json");
  if (std::getenv("ARMILLA_WRITE_KEY_REFERENCE") != nullptr) std::ofstream(file) << key_schema();
  std::ifstream stream(file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  EXPECT_TRUE(text == key_schema()) << file << " is not what the tables of keys say. Write it again:\n"
                                    << "ARMILLA_WRITE_KEY_REFERENCE=1 test_job --gtest_filter='Key*'";
}

TEST(StepExamples, AreValidSections) {
  for (const OperationKind& kind : operation_kinds()) {
    const std::string text = fmt::format("version: 1\nsteps:\n  - {}: {}\n", kind.name, kind.example);
    EXPECT_NO_THROW(EXPECT_FALSE(parse_job(text, "job.yaml").steps.empty())) << text;
  }
}

TEST(StepExamples, AreCommandsWhereFilesHoldTheOperands) {
  const auto example = [](const std::string& name) {
    for (const OperationKind& kind : operation_kinds())
      if (kind.name == name) return command_example(kind);
    return std::string();
  };
  EXPECT_EQ(example("smooth"), "armilla smooth sky.h5 --fwhm-arcmin 60 -o smooth_sky.h5");
  EXPECT_EQ(example("analysis"), "armilla analysis sky_map.h5 --lmax 1000 --method jacobi=3 -o sky.h5");
  EXPECT_EQ(example("synthesis"), "armilla synthesis sky.h5 --grid healpix:512 -o sky_map.h5");
  EXPECT_EQ(example("multiply"), "armilla multiply sky.h5 --by-l-range 20,400 -o band.h5");
  EXPECT_EQ(example("leakage"),
            "armilla leakage sky_map.h5 --mask galaxy.h5 --lmax 500 -o b_map=raw_b.h5 -o template=leaked.h5 "
            "-o out=clean_b.h5");
}

}  // namespace
}  // namespace armilla::job
