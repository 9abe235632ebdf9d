#include <armilla/core/error.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/job/forecast_job.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/plan/backend_plan.hpp>
#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/output_folders.hpp>
#include <armilla/job/plan/plan_builder.hpp>
#include <armilla/job/plan/plan_text.hpp>
#include <armilla/job/value/patterns.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

// Assumed workspace of a device of unknown memory, as in dry runs on another machine.
constexpr Index kForecastWork = Index{2} << 30;

/// Resolves execution.backend = auto for nodes with or without GPUs.
void settle_backend(JobSpec& spec, int gpus_per_node) {
  if (spec.execution.backend != backend::Kind::kAuto) return;
  spec.execution.backend = gpus_per_node > 0 ? backend::Kind::kCuda : backend::Kind::kCpu;
}

RunMachine machine_of(const ForecastOptions& options, const JobSpec& spec) {
  RunMachine machine;
  const int per_node = std::min(options.ranks_per_node.value_or(options.ranks), options.ranks);
  const int threads = options.threads.value_or(std::max(spec.execution.threads, 1));
  machine.occupancy = {options.ranks, per_node, threads};
  machine.node_memory = options.memory_per_node;
  machine.gpus_per_node = options.gpus_per_node;
  machine.has_ranks_per_node = options.ranks_per_node.has_value() || options.ranks == 1;
  machine.cores_per_node = options.cores_per_node;
  machine.rates = options.rates.empty() ? cost::Rates::of_this_machine() : cost::Rates::from_file(options.rates);
  machine.rates.give(options.given);
  machine.process_bytes = machine.rates.process_bytes(machine.occupancy) + kLibraryBytes;
  return machine;
}

RankMemory rank_memory(const RunMachine& machine, const ForecastOptions& options) {
  RankMemory memory;
  if (machine.node_memory)
    memory.host =
        usable(std::max<Index>(*machine.node_memory / machine.occupancy.ranks_per_node - machine.process_bytes, 0));
  const int sharing = options.gpus_per_node > 0
                          ? (machine.occupancy.ranks_per_node + options.gpus_per_node - 1) / options.gpus_per_node
                          : 1;
  if (options.memory_per_gpu) memory.device = *options.memory_per_gpu / sharing;
  return memory;
}

/// The plan of the largest group, with batches that fit in memory.
JobPlan lay_out(const JobSpec& spec, int ranks, const RankMemory& memory) {
  JobPlan plan = plan_alone(spec, ranks);
  plan.backend = {.kind = spec.execution.backend};
  if (!plan.campaign) return plan;
  const MapGroups groups = groups_that_fit(plan, ranks, memory);
  if (groups.groups > 1) plan = plan_for(plan, (ranks + groups.groups - 1) / groups.groups);
  plan.backend = {.kind = spec.execution.backend};
  plan.campaign->groups = groups.groups;
  Index batch = batch_that_fits(plan, 0, memory);
  if (plan.ranks > 1) batch = std::min(batch, batch_that_fits(plan, plan.ranks - 1, memory));
  set_batch(plan, batch);
  return plan;
}

/// Evaluates the first and the last rank: the caps and the equator.
void choose_device_use(JobPlan& plan, const RankMemory& memory) {
  if (!backend::has_device(plan.backend.kind)) return;
  plan_for_device(plan);
  DevicePlan device{kForecastWork, memory.device, 0};
  for (const int rank : {0, plan.ranks - 1}) {
    const MemoryModel model(plan, rank);
    if (!model.has_device()) return;
    const auto total = [&](Index work) { return model.forecast(0, work).device_peak().total(); };
    device.needed = std::max(device.needed, total(model.min_work()));
    if (memory.device == backend::kNoDevice) continue;
    const auto work = transform::largest_device_work(memory.device, model.min_work(), total);
    if (!work)
      throw core::ResourceError(
          fmt::format("{}: the job needs {} of GPU memory per rank, but only {} is available to each rank: use more "
                      "ranks and GPUs, fewer ranks per GPU, a smaller execution.batch, or execution.precision: single",
                      plan.spec.file, core::readable_bytes(device.needed), core::readable_bytes(memory.device)));
    device.work_bytes = std::min(device.work_bytes, *work);
  }
  for (PlannedStep& step : plan.steps)
    if (step.transform) step.transform->device_work = device.work_bytes;
  plan.device = device;
}

}  // namespace

JobForecast forecast_job(const JobSource& job, const ForecastOptions& options) {
  const comm::Communicator alone = comm::Communicator::self();
  JobSpec spec = read_job(alone, job, options.overrides, options.output_dir);
  spec.allows_expected = true;
  expand_inputs(alone, spec);
  settle_backend(spec, options.gpus_per_node);
  JobForecast forecast;
  forecast.machine = machine_of(options, spec);
  const RankMemory memory = rank_memory(forecast.machine, options);
  forecast.plan = lay_out(spec, options.ranks, memory);
  check_output_names(forecast.plan, "");
  choose_device_use(forecast.plan, memory);
  CountedTransforms counted;
  forecast.run = forecast_run(forecast.plan, forecast.machine, counted);
  const std::vector<std::string> folders = missing_folders(forecast.plan);
  forecast.run.warnings.insert(forecast.run.warnings.end(), folders.begin(), folders.end());
  forecast.advice = advise(forecast.plan, forecast.machine, forecast.run, counted);
  return forecast;
}

std::string JobForecast::text() const { return plan_text(plan, run, machine, advice, std::nullopt); }

nlohmann::json JobForecast::json() const { return forecast_json(plan, run, machine, advice); }

}  // namespace armilla::job
