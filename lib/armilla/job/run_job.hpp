#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/parse/job_source.hpp>
#include <armilla/job/report/report.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace armilla::job {

enum class RunMode { kRun, kDryRun };

struct RunOptions {
  std::vector<std::string> overrides;  ///< of the form "steps.0.analysis.lmax=128"
  std::string output_dir = {};         ///< JobSpec::output_dir
  RunMode mode = RunMode::kRun;
  std::optional<core::Index>
      memory_limit;  ///< bytes that the ranks of a node may take in all, whatever the system says
  /// JSON, written when the job is done, when it has failed, and with the plan after a dry run; empty for none.
  std::string report_file;
  Verbosity verbosity = Verbosity::kNormal;
  CampaignPart part = {};                  ///< of a campaign: the share of its maps that this run takes
  bool restart = false;                    ///< compute again what earlier runs did: maps of a campaign, iterations
  backend::CheckMethod device_check = {};  ///< where devices are checked before a run; by default in this process
  /// Called on every rank when the job was found valid, before any field is allocated or read: for programs that embed
  /// Armilla, and for tests. It runs in a phase, so it may throw but must not communicate.
  std::function<void()> after_validation;
};

/// What run_job() has to show: the plan in words after a dry run, the report in words after a run. Root only.
struct RunOutcome {
  std::string text;
  RunReport report;  ///< empty after a dry run
  /// Of a dry run, on all ranks: why a run would be refused though the job is right, after `text` has said what it
  /// needs.
  std::optional<core::CaughtError> refusal = {};
};

/// Collective. Reads a job, validates it on all ranks alike, and runs it, or says what a run would do. Throws the
/// same InputError, ResourceError or InternalError on all ranks; a report file then has the error.
RunOutcome run_job(const comm::Communicator& comm, const JobSource& job, const RunOptions& options = {});

}  // namespace armilla::job
