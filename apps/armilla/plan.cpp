#include <armilla/core/available_memory.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/forecast_job.hpp>

#include <memory>
#include <optional>
#include <string>

#include "duration.hpp"
#include "sbatch.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include "whole_number.hpp"
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

int plan(const PlanArguments& arguments) {
  if (arguments.sbatch) check_sbatch_scripts();
  const job::JobForecast forecast = job::forecast_job(arguments.job, arguments.options);
  if (arguments.json)
    print_json(forecast.json().dump(2) + "\n");
  else if (arguments.sbatch) {
    print_text(sbatch_line(arguments.job, arguments.options, arguments.time_limit, forecast));
  } else
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
    return verb->add_option(name, count, help)->check(whole_number(least, 1 << 24))->type_name("N");
  };
  verb->add_option("job", arguments->job, "The job file (YAML)")->required()->type_name("JOB.yaml");
  add_count("--ranks", options.ranks, "MPI ranks", 1)->required();
  add_count("--ranks-per-node", options.ranks_per_node, "MPI ranks per node; default: all ranks on one node", 1);
  add_count("--cores-per-node", options.cores_per_node, "Cores per node; default: measured, or those that ranks use",
            1);
  add_count("--gpus-per-node", options.gpus_per_node, "GPUs per node; default: 0, so that backend auto selects cpu", 0);
  add_count("--threads", options.threads, "Threads per rank; default: as in the job, or 1", 1);
  add_bytes(*verb, "--memory-per-node", options.memory_per_node,
            "Memory per node, such as 256G; warn if the job does not fit");
  add_bytes(*verb, "--memory-per-gpu", options.memory_per_gpu,
            "Memory per GPU, such as 80G; exit with code 3 if the job does not fit");
  verb->add_option("--rates", options.rates, "Rates measured with bench --calibrate on another machine")
      ->check(not_empty())
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
