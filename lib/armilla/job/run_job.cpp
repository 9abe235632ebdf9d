#include <armilla/comm/phase.hpp>
#include <armilla/core/large_memory.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/campaign.hpp>
#include <armilla/job/machine.hpp>
#include <armilla/job/parse_job.hpp>
#include <armilla/job/plan_builder.hpp>
#include <armilla/job/plan_text.hpp>
#include <armilla/job/run_job.hpp>

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

namespace armilla::job {

namespace {

/// What libraries take when they are first used: tables and plans of HDF5, cfitsio and FFTW, stacks of threads;
/// measured 2 to 5 MiB.
constexpr Index kLibraryBytes = Index{6} << 20;

/// Collective. The forecast of every action on the rank where it is largest.
MemoryForecast largest_forecast(const comm::Communicator& comm, MemoryForecast forecast) {
  forecast.actions.push_back(forecast.baseline);
  comm.max(std::span<Index>(forecast.actions));
  forecast.baseline = forecast.actions.back();
  forecast.actions.pop_back();
  return forecast;
}

/// Collective. The plan of the own group, whose ranks become `part` where they are not all, with its batches.
JobPlan plan_group(const comm::Communicator& comm, const MapGroups& groups, JobPlan plan,
                   std::optional<comm::Communicator>& part) {
  if (groups.groups > 1) {
    part.emplace(comm.split(groups.group_of(comm.rank())));
    comm::phase(comm, [&] { plan = plan_for(plan.spec, part->size()); });
  }
  plan.campaign->groups = groups.groups;
  set_batch(plan, choose_batch(comm, plan, part ? part->rank() : comm.rank()));
  return plan;
}

}  // namespace

RunOutcome run_job(const comm::Communicator& comm, const std::string& job_file, const RunOptions& options) {
  const double start = core::now_seconds();
  JobPlan plan = plan_job(comm, read_job(comm, job_file, options.overrides));
  comm::phase(comm, [&] {
    if (comm.is_root()) check_output_places(plan, options.report_file);
  });
  if (plan.spec.execution.threads > 0) set_thread_count(plan.spec.execution.threads);
  MapGroups groups;
  std::optional<comm::Communicator> part;
  if (plan.campaign) {
    groups = choose_groups(comm, plan);
    plan = plan_group(comm, groups, std::move(plan), part);
  }
  const comm::Communicator& group = part ? *part : comm;
  MemoryForecast forecast;
  comm::phase(comm, [&] { forecast = forecast_memory(plan, group.rank(), resident_bytes() + kLibraryBytes); });

  RunOutcome outcome;
  if (options.mode == RunMode::kDryRun) {
    const MemoryForecast largest = largest_forecast(comm, forecast);
    if (comm.is_root()) outcome.text = plan_text(plan, largest);
    return outcome;
  }
  if (comm.is_root())
    for (const auto& warning : plan.warnings) spdlog::warn("{}", warning);
  comm::phase(comm, [&] {
    if (options.after_validation) options.after_validation();
  });

  RunRecord record;
  {
    const core::KeepLargeMemory keep;
    Progress progress(Progress::choose(comm.is_root(), options.verbosity), plan.spec.steps.size());
    if (plan.campaign) {
      progress.campaign(plan.campaign->maps());
      run_campaign(comm, group, groups, plan, progress, record);
    } else {
      run_plan(comm, plan, progress, record);
    }
  }
  outcome.report = collect_report(comm, plan, record, forecast, core::now_seconds() - start, group.is_root());
  if (!options.report_file.empty()) {
    const std::string json = comm.is_root() ? report_json(outcome.report).dump(2) + "\n" : std::string();
    io::write_text(comm, options.report_file, json);
  }
  if (comm.is_root()) outcome.text = report_text(outcome.report);
  return outcome;
}

}  // namespace armilla::job
