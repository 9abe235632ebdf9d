#pragma once

#include <armilla/job/run_job.hpp>

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// Command-line arguments of a run: of a job file, or of a single step.
struct RunArguments {
  job::RunOptions options;
  std::optional<double> max_seconds;
  bool dry_run = false;
  bool quiet = false;
};

/// Adds --set, --output-dir, --dry-run, --report, --part, --restart, --max-time, --lock-wait, --memory-limit and
/// --quiet to a verb.
void add_run_options(CLI::App& verb, RunArguments& arguments);

/// Runs a job on all MPI ranks. Returns the exit code, which is the same on all ranks.
int run_on_ranks(const job::JobSource& job, RunArguments& arguments);

}  // namespace armilla::app
