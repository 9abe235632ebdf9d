#pragma once

#include <armilla/job/run_job.hpp>

#include <functional>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// What the command line says of a run: of a job file, or of one step.
struct RunArguments {
  job::RunOptions options;
  std::optional<double> max_seconds;
  bool dry_run = false;
  bool quiet = false;
  std::function<std::string(const std::string&)> reword = {};  ///< of messages of errors; empty: as they are
};

/// Adds --set, --output-dir, --dry-run, --report, --part, --restart, --max-time, --memory-limit and --quiet to a verb.
void add_run_options(CLI::App& verb, RunArguments& arguments);

/// Runs a job on all MPI ranks; returns the exit code, alike on all of them.
int run_on_ranks(const job::JobSource& job, RunArguments& arguments);

}  // namespace armilla::app
