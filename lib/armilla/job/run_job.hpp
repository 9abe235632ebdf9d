#pragma once

#include <armilla/core/error.hpp>
#include <armilla/job/parse/job_source.hpp>
#include <armilla/job/prepared_job.hpp>
#include <armilla/job/report/report.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace armilla::job {

struct RunOptions {
  std::vector<std::string> overrides;  ///< of the form "steps.0.analysis.lmax=128"
  std::string output_dir = {};         ///< JobSpec::output_dir
  RunMode mode = RunMode::kRun;
  std::optional<core::Index>
      memory_limit;  ///< total bytes available to the ranks of a node, regardless of the system's value
  /// JSON report, written when the job is done, when it has failed, and with the plan after a dry run. If empty, no
  /// report is written.
  std::string report_file;
  Verbosity verbosity = Verbosity::kNormal;
  CampaignPart part = {};         ///< part of a campaign that this run processes
  double lock_wait_seconds = 30;  ///< maximum time to wait for another run of the same job to finish
  bool restart = false;           ///< recompute the results of earlier runs: maps of a campaign, iterations
  /// Transforms on the same ranks that are kept between jobs, within its limit; null: none are kept. Campaigns that
  /// divide the ranks into groups do not use it.
  transform::TransformCache* transforms = nullptr;
  /// Called on every rank once the job is validated, before any field is allocated or read. Intended for programs that
  /// embed Armilla, and for tests. It runs in a phase, so it may throw but must not communicate.
  std::function<void()> after_validation;
};

/// Result of run_job() as text: the plan after a dry run, the report after a run. Root only.
struct RunOutcome {
  std::string text;
  RunReport report;  ///< empty after a dry run
  /// For a dry run, on all ranks: why a run of this valid job would be rejected. `text` still states its requirements.
  std::optional<core::CaughtError> refusal = {};
};

/// Collective. Reads a job, validates it identically on all ranks, and runs it or describes what a run would do. Throws
/// the same InputError, ResourceError or InternalError on all ranks; a report file then contains the error.
RunOutcome run_job(const comm::Communicator& comm, const JobSource& job, const RunOptions& options = {});

}  // namespace armilla::job
