#include <armilla/comm/phase.hpp>
#include <armilla/comm/thread_load.hpp>
#include <armilla/core/large_memory.hpp>
#include <armilla/core/log.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/campaign/campaign.hpp>
#include <armilla/job/journal/campaign_journal.hpp>
#include <armilla/job/journal/output_space.hpp>
#include <armilla/job/parse/json_text.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/plan/backend_plan.hpp>
#include <armilla/job/plan/input_fields.hpp>
#include <armilla/job/plan/missing_files.hpp>
#include <armilla/job/plan/output_folders.hpp>
#include <armilla/job/plan/output_locks.hpp>
#include <armilla/job/plan/plan_builder.hpp>
#include <armilla/job/plan/plan_text.hpp>
#include <armilla/job/report/earlier_report.hpp>
#include <armilla/job/report/failure_report.hpp>
#include <armilla/job/run/runner.hpp>
#include <armilla/job/run_job.hpp>
#include <armilla/job/value/patterns.hpp>

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

/// Shorter times to take locks are not reported [s].
constexpr double kShownWait = 0.5;

/// Collective. Describes this machine for forecasts; complete only on the root.
RunMachine machine_of(const comm::Communicator& comm, Index process_bytes) {
  std::array<Index, 2> most{comm.node_rank().ranks, process_bytes};
  comm.max(std::span<Index>(most));
  RunMachine machine;
  machine.occupancy = {comm.size(), static_cast<int>(most[0]), core::thread_count()};
  machine.process_bytes = most[1];
  comm::phase(comm, [&] {
    if (comm.is_root()) machine.rates = cost::Rates::of_this_machine();
  });
  return machine;
}

/// Collective. check_output_space() on the root, for all ranks.
void check_space(const comm::Communicator& comm, const JobPlan& plan, const Selection& selection) {
  comm::phase(comm, [&] {
    if (comm.is_root()) check_output_space(plan, selection);
  });
}

/// Collective. Returns an error if the disks have too little space for the outputs.
std::optional<core::CaughtError> lack_of_space(const comm::Communicator& comm, const JobPlan& plan,
                                               const Selection& selection) {
  try {
    check_space(comm, plan, selection);
  } catch (const core::ResourceError&) {
    return core::describe_current_exception();
  }
  return std::nullopt;
}

/// Collective. Writes the results of a dry run to text and to the report file.
RunOutcome dry_run(const comm::Communicator& comm, const RunStart& start, const PreparedJob& job,
                   const std::string& report_file) {
  const JobPlan& plan = job.plan;
  const RunMachine machine = machine_of(comm, job.process_bytes);
  RunOutcome outcome;
  outcome.refusal = lack_of_space(comm, plan, job.selection);
  std::string report;
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    CountedTransforms counted;
    const RunForecast forecast = forecast_run(plan, machine, counted);
    const std::vector<std::string> advice = advise(plan, machine, forecast, counted);
    outcome.text = plan_text(plan, forecast, machine, advice, job.memory);
    outcome.text += report_file.empty()
                        ? "dry run: nothing was computed or written\n"
                        : fmt::format("dry run: nothing was computed, and the plan was written to {}\n", report_file);
    nlohmann::json found = start_json(start);
    found.update(dry_run_json(plan, forecast, machine, advice, job.memory));
    found["exit_code"] = outcome.refusal ? core::exit_code(outcome.refusal->kind) : core::kExitDone;
    if (outcome.refusal) found["error"] = error_json(*outcome.refusal);
    report = json_text(found, 2) + "\n";
  });
  if (!report_file.empty()) io::write_text(comm, marked(plan, report_file), report);
  return outcome;
}

void write_report(const comm::Communicator& comm, const JobPlan& plan, RunReport& report, const std::string& file) {
  if (file.empty()) return;
  report.checksums = output_checksums(comm, plan);
  report.input_checksums = input_checksums(comm, plan);
  std::string text;
  comm::phase(comm, [&] {
    if (comm.is_root()) text = json_text(report_json(report), 2) + "\n";
  });
  io::write_text(comm, marked(plan, file), text);
}

/// The report of a campaign with no remaining maps.
RunReport complete_report(const comm::Communicator& comm, const RunStart& start, const JobPlan& plan,
                          const Selection& selection) {
  RunReport report;
  report.start = start;
  report.backend = name_of(plan.spec.execution.backend);
  report.precision = plan.spec.execution.precision;
  report.ranks = comm.size();
  report.threads = core::thread_count();
  report.seconds = core::now_seconds() - start.seconds;
  report.input_fields = input_fields_json(plan);
  report.warnings = plan.warnings;
  report.campaign = CampaignReport{.done_before = selection.done, .left = selection.elsewhere, .skipped = {}};
  report.files = written_files(plan, selection.elsewhere == 0);
  return report;
}

/// The text for a campaign, or a part of it, with no remaining maps.
std::string complete_text(const JobPlan& plan, const Selection& selection) {
  const CampaignPart& part = plan.spec.execution.part;
  std::string text = fmt::format("{}: all {} maps{} are already done: there is nothing to compute\n", plan.spec.file,
                                 selection.done, part.is_all() ? "" : " of this part");
  if (selection.elsewhere > 0)
    text += fmt::format("{} map{} for other parts\n", selection.elsewhere,
                        selection.elsewhere == 1 ? " remains" : "s remain");
  return text;
}

/// Collective. The outcome of a run of a campaign with no remaining maps. The report of the run that computed them is
/// kept: a job that is requeued after its last map has the same report file.
RunOutcome nothing_to_do(const comm::Communicator& comm, const RunStart& start, const JobPlan& plan,
                         const Selection& selection, const std::string& report_file) {
  RunOutcome outcome;
  outcome.report = complete_report(comm, start, plan, selection);
  if (comm.is_root()) outcome.text = complete_text(plan, selection);
  if (report_file.empty()) return outcome;
  const std::vector<RecordedFile> outputs = output_checksums(comm, plan);
  Index is_kept = 0;
  comm::phase(comm, [&] {
    if (comm.is_root()) is_kept = is_report_of_maps(report_file, outputs) ? 1 : 0;
  });
  comm.broadcast(&is_kept, sizeof(is_kept));
  if (is_kept == 0)
    write_report(comm, plan, outcome.report, report_file);
  else if (comm.is_root())
    outcome.text += fmt::format("kept {}, the report of the run that computed them\n", report_file);
  return outcome;
}

/// Collective. Runs the campaign, and writes the last line of its journal in every case.
void run_and_record(const comm::Communicator& comm, const PreparedJob& job, transform::TransformCache& cache,
                    CampaignJournal& journal, Progress& progress, RunRecord& record) {
  progress.campaign(job.plan.campaign->taken());
  try {
    run_campaign(comm, job.group(comm), job.groups, job.plan, job.selection, cache, journal, progress, record);
  } catch (...) {
    const core::CaughtError error = core::describe_current_exception();
    try {
      journal.finish(error.kind == core::ErrorKind::kStopped ? "stopped" : "failed", error.message);
    } catch (const core::Error& other) {
      core::log().warn("{}", other.what());  // the original error is more important
    }
    throw;
  }
  comm::phase(comm, [&] { journal.finish("done", ""); });
}

/// Collective. The work of run_job(); `report_is_ours` is false while the report's name may be that of
/// another file of the job, and while another run may hold the locks of the outputs.
RunOutcome run(const comm::Communicator& comm, const JobSource& source, RunStart& start, const RunOptions& options,
               std::optional<OutputFolders>& folders, bool& report_is_ours) {
  const bool is_dry = options.mode == RunMode::kDryRun;
  const std::string text = read_job_text(comm, source);
  start.contents = job_contents(text, source.name, options.overrides);
  JobSpec spec = parse_job_alike(comm, text, source.name, options.overrides, options.output_dir);
  spec.word = source.word;
  spec.execution.part = options.part;
  spec.execution.restart = options.restart;
  spec.allows_expected = is_dry;
  const core::ThreadScope threads(spec.execution.threads);
  std::string missing;
  if (is_dry) {
    expand_inputs(comm, spec);
    comm::phase(comm, [&] {
      if (comm.is_root()) missing = missing_files_text(spec);
    });
  }
  JobPlan plan = plan_to_run(comm, std::move(spec), {options.memory_limit, options.mode});
  if (!missing.empty()) plan.warnings.push_back(missing);
  comm::phase(comm, [&] {
    if (!plan.campaign && !options.part.is_all())
      refuse_text(plan.spec.file,
                  "--part applies to jobs with many maps, but this one has a single map: remove the option");
    if (!comm.is_root()) return;
    if (is_dry)
      for (const std::string& note : missing_folders(plan)) core::log().info("{}", note);
    folders.emplace(plan);
    report_is_ours = false;
    check_output_names(plan, options.report_file);
    report_is_ours = true;
    check_output_places(plan, options.report_file);
  });
  std::optional<OutputLocks> locks;
  std::optional<CampaignJournal> journal;
  double waited = 0;
  if (!is_dry) {
    try_backend(comm, plan);
    const double before = core::now_seconds();
    report_is_ours = false;
    comm::phase(comm, [&] {
      if (comm.is_root()) locks.emplace(plan, options.report_file, options.lock_wait_seconds);
    });
    if (plan.campaign) journal.emplace(comm, plan, options.report_file, options.lock_wait_seconds);
    report_is_ours = true;
    waited = core::now_seconds() - before;
  }
  PreparedJob job = lay_out(comm, std::move(plan));
  // The plan has read them, while the key of the campaign has their state after the wait for locks.
  comm::phase(comm, [&] {
    for (const core::SeenFile& file : job.plan.opened->files) core::check_unchanged(file.path, file.state);
  });
  if (job.is_complete()) {
    if (journal) comm::phase(comm, [&] { journal->finish("done", ""); });
    return nothing_to_do(comm, start, job.plan, job.selection, options.report_file);
  }
  const auto tell = [&](const std::string& what) {
    core::log().info("{}", job.plan.spec.word({.where = job.plan.spec.file, .text = what}));
  };
  if (comm.is_root() && !is_dry)
    for (const std::string& fields : input_fields_text(job.plan)) tell(fields);
  if (comm.is_root() && !job.plan.backend.note.empty()) tell(job.plan.backend.note);
  // A dry run reports the memory and time of the job even if it lacks space.
  if (is_dry) return dry_run(comm, start, job, options.report_file);
  check_space(comm, job.plan, job.selection);
  if (const std::string spinning = comm::spinning_warning(comm); !spinning.empty())
    job.plan.warnings.push_back(spinning);
  if (comm.is_root())
    for (const auto& warning : job.plan.warnings) core::log().warn("{}", warning);
  comm::check_memory(comm, job.memory, job.plan.spec.file);
  if (journal) journal->begin(job.plan, job.selection, options.restart);
  comm::phase(comm, [&] {
    if (options.after_validation) options.after_validation();
  });

  RunRecord record;
  record.timers.add("start", core::now_seconds() - start.seconds - waited);
  if (waited > kShownWait) record.timers.add("wait for locks", waited);
  {
    const core::KeepLargeMemory keep;
    transform::TransformCache own_cache(job.group(comm));  // keeps nothing
    transform::TransformCache& cache = options.transforms != nullptr && !job.part ? *options.transforms : own_cache;
    Progress progress(Progress::choose(comm.is_root(), options.verbosity), job.plan.spec.steps.size());
    if (journal)
      run_and_record(comm, job, cache, *journal, progress, record);
    else
      run_plan(comm, job.plan, cache, progress, record);
  }
  RunOutcome outcome;
  outcome.report = collect_report(comm, start, job.plan, record, job.forecast, job.group(comm).is_root());
  if (outcome.report.campaign) outcome.report.campaign->done_before = job.selection.done;
  write_report(comm, job.plan, outcome.report, options.report_file);
  if (comm.is_root()) outcome.text = report_text(outcome.report);
  return outcome;
}

}  // namespace

RunOutcome run_job(const comm::Communicator& comm, const JobSource& job, const RunOptions& options) {
  RunStart start = begin_run(comm, job.name, options.overrides);
  std::optional<OutputFolders> folders;  // until the report of a failure is written
  bool report_is_ours = true;
  try {
    return run(comm, job, start, options, folders, report_is_ours);
  } catch (...) {
    if (comm.is_root() && report_is_ours && !options.report_file.empty())
      write_failure_report(start, core::describe_current_exception(), options.report_file);
    throw;
  }
}

}  // namespace armilla::job
