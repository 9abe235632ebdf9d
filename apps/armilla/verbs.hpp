#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// The action that the command line selects. Returns the exit code. Errors are thrown, except by `run`, which reports
/// them on all ranks together.
using Action = std::function<int()>;

/// Adds --set and --output-dir to a verb that takes a job.
void add_job_options(CLI::App& verb, std::vector<std::string>& overrides, std::string& output_dir);

// Each function adds one subcommand to `app`. The subcommand sets `chosen` if the command line selects it.
void add_run(CLI::App& app, Action& chosen);
void add_plan(CLI::App& app, Action& chosen);
void add_bench(CLI::App& app, Action& chosen);
void add_inspect(CLI::App& app, Action& chosen);
void add_convert(CLI::App& app, Action& chosen);
void add_doctor(CLI::App& app, Action& chosen);
/// Adds one subcommand for each job step whose operands can be files, with the keys of the step as options.
void add_steps(CLI::App& app, Action& chosen);
void add_view(CLI::App& app, Action& chosen);
void add_status(CLI::App& app, Action& chosen);
void add_verify(CLI::App& app, Action& chosen);
/// Adds `list`, which prints the steps, methods, grids and file formats.
void add_list(CLI::App& app, Action& chosen);
/// Arguments that `list` accepts.
std::vector<std::string> list_names();
/// Adds `help`, which explains verbs, job steps and sections of job files.
void add_help(CLI::App& app, Action& chosen);
/// Arguments that `help` accepts besides verbs: step, method, and sections of jobs.
std::vector<std::string> help_words();
/// Adds `completion`, which prints a bash or zsh script that completes verbs, options, steps and files.
void add_completion(CLI::App& app, Action& chosen);

}  // namespace armilla::app
