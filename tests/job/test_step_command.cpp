#include <armilla/core/error.hpp>
#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/command/step_command.hpp>
#include <armilla/job/parse/parse_job.hpp>

#include <gtest/gtest.h>

namespace armilla::job {
namespace {

StepCommand random_alm_command() {
  StepCommand command;
  command.step = "random_alm";
  command.step_keys = {{{"spectrum"}, "cl.dat"}, {{"spectrum_kind"}, "cl"}, {{"fields"}, "T,E,B"}, {{"lmax"}, "40"}};
  command.execution_keys = {{{"precision"}, "single"}};
  command.out = {"a.fits"};
  return command;
}

std::string refusal(const StepCommand& command) {
  std::vector<std::string> notes;
  try {
    HeldContents held;
    job_of(command, notes, held);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return {};
}

TEST(StepCommand, IsTheJobThatItStandsFor) {
  std::vector<std::string> notes;
  HeldContents held;
  const std::string text = job_of(random_alm_command(), notes, held);
  EXPECT_EQ(text,
            "version: 1\nsteps:\n  - random_alm: {spectrum: cl.dat, spectrum_kind: cl, fields: [T, E, B], lmax: 40, "
            "out: result}\noutputs:\n  result: {file: a.fits}\nexecution:\n  precision: single\n");
  EXPECT_TRUE(notes.empty());
  const JobSpec job = parse_job(text, "command line");
  ASSERT_EQ(job.steps.size(), 1u);
  EXPECT_EQ(job.steps.front().name, "random_alm");
}

TEST(StepCommand, RefusesResultsThatTheStepDoesNotMake) {
  StepCommand command = random_alm_command();
  command.out = {"b_map=a.fits"};
  EXPECT_NE(refusal(command).find("-o b_map=a.fits: random_alm has the result"), std::string::npos);
  command.out.clear();
  EXPECT_NE(refusal(command).find("random_alm needs an output file: use -o FILE"), std::string::npos);
}

TEST(StepCommand, IsThereForStepsWhoseOperandsFilesHold) {
  for (const OperationKind& kind : operation_kinds())
    EXPECT_EQ(is_command(kind), kind.name != "decouple" && kind.name != "statistics") << kind.name;
}

}  // namespace
}  // namespace armilla::job
