#include <armilla/backend/context.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/job/campaign/memory_campaign.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/plan/backend_plan.hpp>
#include <armilla/job/plan/device_plan.hpp>
#include <armilla/job/plan/plan_builder.hpp>
#include <armilla/job/prepared_job.hpp>
#include <armilla/job/run/runner.hpp>

#include <utility>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// Not collective. Throws InputError for what only a run with files supports.
void check_in_memory(const JobPlan& plan) {
  const ExecutionSpec& execution = plan.spec.execution;
  if (!plan.campaign) return;
  if (execution.map_groups.value_or(1) > 1)
    refuse(execution.place, "map_groups", fmt::format("{}", *execution.map_groups),
           "is not possible for values in memory, which all ranks share: remove it");
  for (const OutputSpec& output : plan.spec.outputs)
    refuse(output.place, "file", output.file,
           "cannot be written by a job with many maps in memory: keep the value, and write it, or use 'armilla run'");
}

/// Collective. Divides the work of a plan over the ranks.
PreparedJob divide(const comm::Communicator& comm, const JobPlan& plan) {
  PreparedJob job;
  comm::phase(comm, [&] { job.plan = plan; });
  if (plan.campaign) {
    job.selection = select_maps(comm, plan, plan.spec.execution.restart);
    comm::phase(comm, [&] {
      job.plan.spec.execution.items = job.selection.items;
      job.plan.campaign->items = job.selection.items;
    });
    if (job.is_complete()) return job;
    job.groups = choose_groups(comm, job.plan);
    if (job.groups.groups > 1) {
      job.part.emplace(comm.split(job.groups.group_of(comm.rank())));
      comm::phase(comm, [&] { job.plan = plan_for(job.plan, job.part->size()); });
      job.plan.backend = plan.backend;
      if (backend::has_device(plan.backend.kind)) comm::phase(comm, [&] { plan_for_device(job.plan); });
    }
    job.plan.campaign->groups = job.groups.groups;
    set_batch(job.plan, choose_batch(comm, job.plan, job.group(comm).rank()));
  }
  choose_device_work(comm, job.plan, job.group(comm).rank());
  return job;
}

PreparedJob divide_where_it_fits(const comm::Communicator& comm, JobPlan plan) {
  try {
    return divide(comm, plan);
  } catch (const core::ResourceError& error) {
    if (!plan.backend.automatic || !backend::has_device(plan.backend.kind)) throw;
    fall_back_to_cpu(plan, error.what());
  }
  PreparedJob job = divide(comm, plan);
  job.lacked_device_memory = true;
  return job;
}

/// What differs between two descriptions of an input; empty if nothing does.
std::string difference(const Described& now, const Described& before) {
  if (now.sort != before.sort) return "another type of value";
  if ((now.grid == nullptr) != (before.grid == nullptr) || (now.grid && !same_grid(*now.grid, *before.grid)))
    return "another grid";
  if (now.lmax != before.lmax || now.mmax != before.mmax) return "another lmax or mmax";
  if (now.points != before.points) return "another number of points";
  if (now.components != before.components || now.metadata.fields != before.metadata.fields ||
      now.metadata.spins != before.metadata.spins)
    return "other fields";
  if (now.metadata.units != before.metadata.units || now.metadata.coordsys != before.metadata.coordsys)
    return "other units or coordinates";
  // A plan may depend on the contents of tables, such as the method of a convolution.
  if (now.table && (now.table->names != before.table->names || now.table->columns != before.table->columns ||
                    now.table->unit != before.table->unit))
    return "other contents";
  if (now.dimensions.size() != before.dimensions.size() ||
      (!now.dimensions.empty() && now.dimensions.front().labels.size() != before.dimensions.front().labels.size()))
    return "another number of maps";
  return "";
}

/// Bytes of the contents of compressed inputs, which the ranks of a node share.
Index inflated_bytes(const JobPlan& plan) {
  Index bytes = 0;
  for (const PlannedInput& input : plan.inputs) bytes += input.source->described().node_bytes;
  return bytes;
}

}  // namespace

JobPlan plan_to_run(const comm::Communicator& comm, JobSpec spec, const PrepareOptions& options,
                    const Sources& sources) {
  spec.execution.memory_limit = comm::limit_of_root(comm, options.memory_limit);
  // A dry run determines the requirements of a job without its devices.
  if (options.mode != RunMode::kDryRun) comm::phase(comm, [&] { backend::check_backend(spec.execution.backend); });
  return plan_job(comm, std::move(spec), sources);
}

PreparedJob lay_out(const comm::Communicator& comm, JobPlan plan) {
  PreparedJob job = divide_where_it_fits(comm, std::move(plan));
  if (job.is_complete()) return job;
  const Index contents = comm.node_rank().rank == 0 ? inflated_bytes(job.plan) : 0;
  comm::phase(comm, [&] {
    if (const std::string& warning = job.plan.backend.warning; !warning.empty())
      job.plan.warnings.push_back(job.plan.spec.word({.where = job.plan.spec.file, .text = warning}));
    job.process_bytes = core::resident_bytes() + kLibraryBytes + contents;
    job.forecast = forecast_memory(job.plan, job.group(comm).rank(), job.process_bytes);
  });
  // The bounds of the system already lack what is inflated.
  const std::optional<Index>& limit = job.plan.spec.execution.memory_limit;
  job.memory = comm::tightest_memory(comm, job.forecast.peak() - (limit ? 0 : contents), limit);
  return job;
}

PreparedJob prepare(const comm::Communicator& comm, JobSpec spec, const Sources& sources,
                    const PrepareOptions& options) {
  const core::ThreadScope threads(spec.execution.threads);
  if (!spec.keep) spec.keep.emplace();
  JobPlan plan = plan_to_run(comm, std::move(spec), options, sources);
  comm::phase(comm, [&] {
    check_in_memory(plan);
    if (!comm.is_root()) return;
    check_output_names(plan, "");
    check_output_places(plan, "");
  });
  if (plan.campaign) plan.spec.execution.map_groups = 1;
  try_backend(comm, plan);
  PreparedJob job = lay_out(comm, std::move(plan));
  comm::check_memory(comm, job.memory, job.plan.spec.file, comm::MemoryUser::kLibrary);
  return job;
}

void replace_sources(PreparedJob& job, const Sources& sources) {
  JobPlan& plan = job.plan;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    const InputSpec& input = plan.spec.inputs[i];
    const auto given = sources.find(input.name);
    if (given == sources.end()) continue;
    std::string other = difference(given->second->described(), plan.inputs[i].source->described());
    const bool can_lend = in_precision_of(plan, [&]<class T>() { return !given->second->borrow(T()).is_empty(); });
    if (other.empty() && plan.values[plan.inputs[i].value].is_borrowed && !can_lend) other = "another precision";
    if (!other.empty())
      throw core::InputError(
          fmt::format("input '{}' has {} than when the job was prepared: prepare it again", input.name, other));
    plan.inputs[i].source = given->second;
    plan.opened->sources[i] = given->second;  // nothing keeps the value before it
  }
}

ExecutedJob execute(const comm::Communicator& comm, const PreparedJob& job, transform::TransformCache& cache,
                    const Progress::Call& call) {
  const JobPlan& plan = job.plan;
  const core::ThreadScope threads(plan.spec.execution.threads);
  ExecutedJob executed;
  executed.record.logs = false;
  std::optional<Progress> progress;
  std::optional<core::CaughtError> thrown;  // by the callback, which other ranks do not call; one rank stops at once
  if (call && comm.is_root())
    progress.emplace(
        [&](double fraction, const std::string& what) {
          if (comm.size() == 1) return call(fraction, what);
          if (thrown) return;
          try {
            call(fraction, what);
          } catch (...) {
            thrown = core::describe_current_exception();
          }
        },
        plan.spec.steps.size());
  else
    progress.emplace(Progress::Display::kNone, plan.spec.steps.size());
  const auto run = plan.campaign ? run_campaign_in_memory : run_plan;
  executed.values = run(comm, plan, cache, *progress, executed.record);
  comm::agree(comm, thrown);
  return executed;
}

}  // namespace armilla::job
