#include <armilla/core/available_memory.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/forecast_job.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::app {

namespace {

struct PlanArguments {
  std::string job;
  job::ForecastOptions options;
  bool json = false;
  bool sbatch = false;
};

/// Ratio of the requested time to the predicted time: a margin for effects that the model does not include.
constexpr double kTimeMargin = 2;
constexpr double kStartMinutes = 5;
/// Ratio of the requested memory to the predicted memory.
constexpr double kMemoryMargin = 1.15;

std::string sbatch_line(const PlanArguments& arguments, const job::JobForecast& forecast) {
  const cost::Occupancy& own = forecast.machine.occupancy;
  const double minutes = std::ceil(kTimeMargin * forecast.run.seconds() / 60 + kStartMinutes);
  const double mebibytes = std::ceil(kMemoryMargin * static_cast<double>(forecast.run.node_bytes) / (1 << 20));
  std::string line =
      fmt::format("sbatch --nodes={} --ntasks={} --ntasks-per-node={} --cpus-per-task={} --mem={:.0f}M --time={:.0f}",
                  forecast.machine.nodes(), own.ranks, own.ranks_per_node, own.threads, mebibytes, minutes);
  if (arguments.options.gpus_per_node > 0) line += fmt::format(" --gpus-per-node={}", arguments.options.gpus_per_node);
  line += fmt::format(" scripts/slurm/{} {}", forecast.plan.campaign ? "campaign.sbatch" : "transform.sbatch",
                      arguments.job);
  for (const std::string& change : arguments.options.overrides) line += fmt::format(" --set '{}'", change);
  if (!arguments.options.output_dir.empty()) line += fmt::format(" --output-dir '{}'", arguments.options.output_dir);
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
  add_job_options(*verb, options.overrides, options.output_dir);
  auto* json = verb->add_flag("--json", arguments->json, "Print JSON");
  verb->add_flag("--sbatch", arguments->sbatch, "Print the command to submit the job to Slurm")->excludes(json);
  verb->footer(
      "Reads only the headers of inputs and computes nothing. Needs neither MPI nor GPUs.\n"
      "Example: armilla plan job.yaml --ranks 128 --ranks-per-node 8 --threads 16 --memory-per-node 256G");
  verb->callback([arguments, &chosen] { chosen = [arguments] { return plan(*arguments); }; });
}

}  // namespace armilla::app
