#include <armilla/comm/communicator.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/job/run_job.hpp>

#include <cstdio>
#include <memory>
#include <optional>

#include "check_device.hpp"
#include "end_together.hpp"
#include "launcher.hpp"
#include "memory_option.hpp"
#include "run_command.hpp"
#include "run_options.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace armilla::app {

namespace {

core::CaughtError reworded(core::CaughtError error, const RunArguments& arguments) {
  if (arguments.reword) error.message = arguments.reword(error.message);
  return error;
}

}  // namespace

int run_on_ranks(const job::JobSource& source, RunArguments& arguments) {
  if (arguments.max_seconds) core::stop_after(*arguments.max_seconds);
  const comm::Session session = start_mpi();
  const EndTogether end;
  const comm::Communicator world = comm::Communicator::world();  // freed after the catch: this is collective
  if (arguments.quiet) spdlog::set_level(spdlog::level::warn);
  if (!world.is_root()) spdlog::set_level(spdlog::level::off);
  job::RunOptions& options = arguments.options;
  options.mode = arguments.dry_run ? job::RunMode::kDryRun : job::RunMode::kRun;
  options.verbosity = arguments.quiet ? job::Verbosity::kQuiet : job::Verbosity::kNormal;
  try {
    options.memory_limit = memory_limit_or_default(options.memory_limit);
    options.device_check = check_in_child();
    const job::RunOutcome outcome = job::run_job(world, source, options);
    if (world.is_root() && (arguments.dry_run || !arguments.quiet)) print_text(outcome.text);
    if (outcome.refusal) std::fflush(stdout);  // so that it precedes the error on a terminal
    return outcome.refusal ? end.report(reworded(*outcome.refusal, arguments)) : core::kExitDone;
  } catch (...) {
    return end.report(reworded(core::describe_current_exception(), arguments));
  }
}

void add_run_options(CLI::App& verb, RunArguments& arguments) {
  add_job_options(verb, arguments.options.overrides, arguments.options.output_dir);
  verb.add_flag("--dry-run", arguments.dry_run, "Validate the job, show the plan with memory and files, then exit");
  verb.add_option("--report", arguments.options.report_file,
                  "Write job, times, memory, results and checksums as JSON;\n"
                  "for a failed run, the error; for a dry run, the plan")
      ->type_name("FILE")
      ->check([](const std::string& file) { return file.empty() ? "the file name is empty" : std::string(); });
  add_campaign_options(verb, arguments.options, arguments.max_seconds);
  add_memory_limit(verb, arguments.options.memory_limit);
  verb.add_flag("--quiet", arguments.quiet, "Print only warnings and errors, no progress and no report");
}

void add_run(CLI::App& app, Action& chosen) {
  struct FileArguments {
    std::string job;
    RunArguments run;
  };
  auto arguments = std::make_shared<FileArguments>();
  CLI::App* verb = app.add_subcommand("run", "Run a job file on all MPI ranks");
  verb->add_option("job", arguments->job, "The job file (YAML); - reads standard input")
      ->required()
      ->type_name("JOB.yaml");
  add_run_options(*verb, arguments->run);
  verb->footer(
      "Example: mpirun -n 4 armilla run job.yaml --set steps.0.analysis.lmax=128 --report report.json\n"
      "Exit codes: 0 success, 2 bad input, 3 out of memory or disk, 4 internal error (a bug), 5 stopped.\n"
      "SIGTERM and SIGINT stop the run immediately; SIGUSR1 and --max-time stop it after the current\n"
      "step, iteration or batch. To continue a stopped campaign, repeat the same command.");
  verb->callback(
      [arguments, &chosen] { chosen = [arguments] { return run_on_ranks(arguments->job, arguments->run); }; });
}

}  // namespace armilla::app
