#include <armilla/core/available_memory.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/forecast_job.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "duration.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::app {

namespace {

struct PlanArguments {
  std::string job;
  job::ForecastOptions options;
  std::optional<double> time_limit;  // of the queue [s]
  bool json = false;
  bool sbatch = false;
};

/// Ratio of the requested time to the predicted time: a margin for effects that the model does not include.
constexpr double kTimeMargin = 2;
constexpr double kStartMinutes = 5;
/// Ratio of the requested memory to the predicted memory.
constexpr double kMemoryMargin = 1.15;
/// Least time between the signal to stop and the time limit [s], that of campaign.sbatch.
constexpr double kLeastNotice = 120;

/// Largest notice that Slurm accepts [s].
constexpr double kMostNotice = 65535;

/// A word of a shell command.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

/// Absolute path of a batch script: in ARMILLA_SCRIPTS, or of the installation or checkout that contains this program.
std::string script_path(const std::string& name) {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  if (const char* const own = std::getenv("ARMILLA_SCRIPTS"); own != nullptr && *own != '\0') folders.emplace_back(own);
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
    for (const char* const from_program : {"../share/armilla/slurm", "../../scripts/slurm"})
      folders.push_back(program.parent_path() / from_program);
  for (const fs::path& folder : folders)
    if (const fs::path script = fs::absolute(folder / name).lexically_normal(); fs::is_regular_file(script, error))
      return script.string();
  throw core::InputError(fmt::format(
      "{} is neither in share/armilla/slurm of the installation nor in scripts/slurm of the checkout of this "
      "program: set ARMILLA_SCRIPTS to its folder",
      name));
}

/// Warns on standard error if the run, or a batch of a campaign, may not fit the time limit of the queue.
void check_time_limit(double limit, const job::JobForecast& forecast) {
  const auto& campaign = forecast.plan.campaign;
  const double needed = kTimeMargin * (campaign ? forecast.run.batch.total() : forecast.run.seconds());
  const double available = std::max(limit - 60 * kStartMinutes, 0.0);
  if (needed <= available) return;
  std::string what = "the run", remedy = "use more ranks";
  if (campaign) {
    const auto maps = campaign->batch;
    const auto fitting = static_cast<core::Index>(static_cast<double>(maps) * available / needed);
    what = fmt::format("a batch of {} map{}", maps, maps == 1 ? "" : "s");
    remedy = fitting >= 1 ? fmt::format("set execution.batch: {}", fitting)
                          : "use more ranks for each map (a smaller execution.map_groups)";
  }
  print_error(
      fmt::format("armilla: warning: {} may take {:.1f} minutes, but --time-limit leaves {:.1f} after the start: {}\n",
                  what, needed / 60, available / 60, remedy));
}

/// Seconds before the time limit at which a campaign is asked to stop: it stops after the current batch.
double notice(const job::BatchTime& batch) {
  return std::clamp(std::ceil(kTimeMargin * batch.total() + kLeastNotice / 2), kLeastNotice, kMostNotice);
}

std::string sbatch_line(const PlanArguments& arguments, const job::JobForecast& forecast) {
  const cost::Occupancy& own = forecast.machine.occupancy;
  const bool is_campaign = forecast.plan.campaign.has_value();
  double minutes = std::ceil(kTimeMargin * forecast.run.seconds() / 60 + kStartMinutes);
  if (arguments.time_limit) {
    minutes = std::clamp(std::floor(*arguments.time_limit / 60), 1.0, minutes);
    check_time_limit(*arguments.time_limit, forecast);
  }
  const double mebibytes = std::ceil(kMemoryMargin * static_cast<double>(forecast.run.node_bytes) / (1 << 20));
  std::string line =
      fmt::format("sbatch --nodes={} --ntasks={} --ntasks-per-node={} --cpus-per-task={} --mem={:.0f}M --time={:.0f}",
                  forecast.machine.nodes(), own.ranks, own.ranks_per_node, own.threads, mebibytes, minutes);
  if (is_campaign) line += fmt::format(" --signal=B:USR1@{:.0f}", notice(forecast.run.batch));
  if (arguments.options.gpus_per_node > 0) line += fmt::format(" --gpus-per-node={}", arguments.options.gpus_per_node);
  line += fmt::format(" {} {}", shell_word(script_path(is_campaign ? "campaign.sbatch" : "transform.sbatch")),
                      shell_word(arguments.job));
  for (const std::string& change : arguments.options.overrides) line += " --set " + shell_word(change);
  if (!arguments.options.output_dir.empty()) line += " --output-dir " + shell_word(arguments.options.output_dir);
  return line + "\n";
}

int plan(const PlanArguments& arguments) {
  const job::JobForecast forecast = job::forecast_job(arguments.job, arguments.options);
  if (arguments.json)
    print_json(forecast.json().dump(2) + "\n");
  else if (arguments.sbatch)
    print_text(sbatch_line(arguments, forecast));
  else
    print_lines(forecast.text());
  return core::kExitDone;
}

void add_bytes(CLI::App& verb, const std::string& name, std::optional<core::Index>& bytes, const char* help) {
  verb.add_option_function<std::string>(
          name,
          [&bytes, name](const std::string& text) {
            try {
              bytes = core::parse_bytes(text);
            } catch (const core::InputError& error) {
              throw CLI::ValidationError(name, error.what());
            }
          },
          help)
      ->type_name("SIZE");
}

void add_rate(CLI::App& verb, const std::string& name, std::optional<double>& rate, const char* help) {
  verb.add_option_function<std::string>(
          name,
          [&rate, name](const std::string& text) {
            try {
              rate = cost::parse_rate(text);
            } catch (const core::InputError& error) {
              throw CLI::ValidationError(name, error.what());
            }
          },
          help)
      ->type_name("RATE");
}

}  // namespace

void add_plan(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<PlanArguments>();
  job::ForecastOptions& options = arguments->options;
  CLI::App* verb = app.add_subcommand("plan", "Predict memory, exchange and time of a job on any number of ranks");
  const auto add_count = [verb](const char* name, auto& count, const char* help, int least) {
    return verb->add_option(name, count, help)->check(CLI::Range(least, 1 << 24).description(""))->type_name("N");
  };
  verb->add_option("job", arguments->job, "The job file (YAML)")->required()->type_name("JOB.yaml");
  add_count("--ranks", options.ranks, "MPI ranks", 1)->required();
  add_count("--ranks-per-node", options.ranks_per_node, "MPI ranks per node; default: all ranks on one node", 1);
  add_count("--gpus-per-node", options.gpus_per_node, "GPUs per node; default: 0, so that backend auto selects cpu", 0);
  add_count("--threads", options.threads, "Threads per rank; default: as in the job, or 1", 1);
  add_bytes(*verb, "--memory-per-node", options.memory_per_node,
            "Memory per node, such as 256G; warn if the job does not fit");
  add_bytes(*verb, "--memory-per-gpu", options.memory_per_gpu,
            "Memory per GPU, such as 80G; exit with code 3 if the job does not fit");
  verb->add_option("--rates", options.rates, "Rates measured with bench --calibrate on another machine")
      ->type_name("FILE");
  add_rate(*verb, "--file-rate", options.given.file_system,
           "Bytes per second of the file system for all ranks, such as 20G");
  add_rate(*verb, "--fma-rate", options.given.fma_peak,
           "Peak FMA per second of a core in double precision, such as 40G");
  CLI::Option* limit =
      verb->add_option_function<std::string>(
              "--time-limit",
              [arguments](const std::string& text) { arguments->time_limit = parse_duration(text, "--time-limit"); },
              "With --sbatch: time limit of the queue, such as 24h")
          ->type_name("TIME");
  add_job_options(*verb, options.overrides, options.output_dir);
  auto* json = verb->add_flag("--json", arguments->json, "Print JSON");
  limit->needs(
      verb->add_flag("--sbatch", arguments->sbatch, "Print the command to submit the job to Slurm")->excludes(json));
  verb->footer(
      "Reads only the headers of inputs and computes nothing. Needs neither MPI nor GPUs.\n"
      "Example: armilla plan job.yaml --ranks 128 --ranks-per-node 8 --threads 16 --memory-per-node 256G");
  verb->callback([arguments, &chosen] { chosen = [arguments] { return plan(*arguments); }; });
}

}  // namespace armilla::app
