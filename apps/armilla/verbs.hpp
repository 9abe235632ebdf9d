#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// What the command line asks for; returns the exit code. Errors are thrown, but for `run`, whose ranks end together.
using Action = std::function<int()>;

/// Adds --set and --output-dir to a verb that takes a job.
void add_job_options(CLI::App& verb, std::vector<std::string>& overrides, std::string& output_dir);

// Each adds one subcommand to `app`; when the command line names it, `chosen` becomes its work.
void add_run(CLI::App& app, Action& chosen);
void add_plan(CLI::App& app, Action& chosen);
void add_bench(CLI::App& app, Action& chosen);
void add_inspect(CLI::App& app, Action& chosen);
void add_convert(CLI::App& app, Action& chosen);
void add_doctor(CLI::App& app, Action& chosen);
/// One for each step of the job language whose operands files hold, with its keys as options.
void add_steps(CLI::App& app, Action& chosen);
void add_view(CLI::App& app, Action& chosen);
void add_status(CLI::App& app, Action& chosen);
void add_verify(CLI::App& app, Action& chosen);
/// Lists of steps, methods, grids and file formats.
void add_list(CLI::App& app, Action& chosen);
/// What can be listed.
std::vector<std::string> list_names();
/// Explains verbs, steps and sections of jobs.
void add_help(CLI::App& app, Action& chosen);
/// What can be explained besides verbs: step, method, and sections of jobs.
std::vector<std::string> help_words();
/// A script for bash or zsh that completes verbs, options, steps and files.
void add_completion(CLI::App& app, Action& chosen);
/// Hidden: `run` and `bench` start this program with it.
void add_check_device(CLI::App& app, Action& chosen);

}  // namespace armilla::app
