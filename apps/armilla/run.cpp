#include <armilla/comm/communicator.hpp>
#include <armilla/core/log.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/job/run_job.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <regex>
#include <string>

#include "duration.hpp"
#include "end_together.hpp"
#include "launcher.hpp"
#include "memory_option.hpp"
#include "run_command.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>

namespace armilla::app {

namespace {

job::CampaignPart parse_part(const std::string& text) {
  static const std::regex form("([0-9]{1,9})/([0-9]{1,9})");
  std::smatch found;
  if (std::regex_match(text, found, form)) {
    const job::CampaignPart part{std::stoll(found[1]), std::stoll(found[2])};
    if (part.number >= 1 && part.number <= part.of && part.of <= 30000) return part;
  }
  throw CLI::ValidationError("--part",
                             "'" + text + "' is not a valid part: expected I/N, such as 2/8, with I from 1 to N");
}

double parse_lock_wait(const std::string& text) {
  static const std::regex form("[0-9]{1,9}(\\.[0-9]{1,9})?");
  if (std::regex_match(text, form)) return std::stod(text);
  throw CLI::ValidationError("--lock-wait",
                             "'" + text + "' is not a valid number of seconds: expected 0 or more, such as 30");
}

// Adds --part, --restart, --max-time and --lock-wait to a verb. `max_seconds` receives the value of --max-time.
void add_campaign_options(CLI::App& verb, job::RunOptions& options, std::optional<double>& max_seconds) {
  verb.add_option_function<std::string>(
          "--part", [&options](const std::string& text) { options.part = parse_part(text); },
          "Process only part I of N of the maps of a campaign (for job arrays)")
      ->type_name("I/N");
  verb.add_flag("--restart", options.restart, "Ignore maps and checkpoints of earlier runs and start over");
  verb.add_option_function<std::string>(
          "--max-time", [&max_seconds](const std::string& text) { max_seconds = parse_duration(text, "--max-time"); },
          "Stop cleanly before this time has passed: 3h, 90m or HH:MM:SS")
      ->type_name("TIME");
  verb.add_option_function<std::string>(
          "--lock-wait", [&options](const std::string& text) { options.lock_wait_seconds = parse_lock_wait(text); },
          "Wait at most this long for another run of the same job; default 30")
      ->type_name("SECONDS");
}

core::CaughtError worded(core::CaughtError error, const job::JobSource& source) {
  if (error.context) error.message = source.word(*error.context);
  return error;
}

}  // namespace

void add_job_options(CLI::App& verb, std::vector<std::string>& overrides, std::string& output_dir) {
  verb.add_option("--set", overrides, "Override a value of the job; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  verb.add_option("--output-dir", output_dir, "Base folder for relative output paths")
      ->type_name("DIR")
      ->check(CLI::Validator([](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); }, ""));
}

int run_on_ranks(const job::JobSource& source, RunArguments& arguments) {
  if (arguments.max_seconds) core::stop_after(*arguments.max_seconds);
  const comm::Session session = start_mpi();
  const EndTogether end;
  const comm::Communicator world = comm::Communicator::world();
  if (arguments.quiet) core::log().set_level(spdlog::level::warn);
  if (!world.is_root()) core::log().set_level(spdlog::level::off);
  job::RunOptions& options = arguments.options;
  options.mode = arguments.dry_run ? job::RunMode::kDryRun : job::RunMode::kRun;
  options.verbosity = arguments.quiet ? job::Verbosity::kQuiet : job::Verbosity::kNormal;
  try {
    options.memory_limit = memory_limit_or_default(options.memory_limit);
    const job::RunOutcome outcome = job::run_job(world, source, options);
    if (world.is_root() && (arguments.dry_run || !arguments.quiet)) print_lines(outcome.text);
    if (outcome.refusal) std::fflush(stdout);  // so that it precedes the error on a terminal
    return outcome.refusal ? end.report(worded(*outcome.refusal, source)) : core::kExitDone;
  } catch (...) {
    return end.report(worded(core::describe_current_exception(), source));
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
