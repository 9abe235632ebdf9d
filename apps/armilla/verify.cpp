#include <armilla/core/error.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/job/journal/verify.hpp>

#include <memory>
#include <string>
#include <vector>

#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>

namespace armilla::app {

namespace {

struct VerifyArguments {
  std::string what;
  std::vector<std::string> overrides;
  std::string output_dir;
};

int verify(const VerifyArguments& arguments) {
  core::Index bytes = 0, wrong = 0;
  const std::vector<job::RecordedFile> files =
      job::recorded_files(arguments.what, arguments.overrides, arguments.output_dir);
  for (const job::RecordedFile& file : files) {
    if (const auto stop = core::stop_at_once()) core::throw_error(*stop);
    const std::string difference = job::difference_of(file);
    if (difference.empty()) {
      bytes += file.size;
      continue;
    }
    ++wrong;
    print("{}\n", difference);
  }
  if (wrong > 0)
    throw core::InputError(fmt::format(
        "{} of {} files have changed since they were written: restore them, or rerun the job", wrong, files.size()));
  print("{} files ({}) are unchanged\n", files.size(), core::readable_bytes(bytes));
  return core::kExitDone;
}

}  // namespace

void add_verify(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* verb = app.add_subcommand("verify", "Compare outputs with their recorded checksums");
  verb->add_option("what", arguments->what, "A report, a job file for many maps, or the folder of its outputs")
      ->required()
      ->type_name("REPORT.json|JOB.yaml|FOLDER");
  add_job_options(*verb, arguments->overrides, arguments->output_dir);
  verb->footer(
      "Example: armilla verify report.json\n"
      "Exit codes: 0 all files are unchanged, 2 some differ or are missing (each is named).");
  verb->callback([arguments, &chosen] { chosen = [arguments] { return verify(*arguments); }; });
}

}  // namespace armilla::app
