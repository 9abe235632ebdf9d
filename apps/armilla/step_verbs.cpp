#include <armilla/core/error.hpp>
#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/command/step_command.hpp>
#include <armilla/job/parse/sections.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "key_text.hpp"
#include "launcher.hpp"
#include "run_command.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace armilla::app {

namespace {

struct StepArguments {
  job::StepCommand command;
  RunArguments run;
  bool print_job = false;
};

using Settings = std::vector<job::StepCommand::Setting>;

/// Adds the options of one step to its verb.
class StepVerb {
 public:
  StepVerb(CLI::App& verb, const job::OperationKind& kind, StepArguments& arguments)
      : verb_(verb), kind_(kind), arguments_(arguments) {}

  void add_options() {
    add_first_operand();
    for (const job::Key& key : kind_.keys) {
      if (key.type == job::KeyType::kResult) continue;
      if (key.type == job::KeyType::kOperand)
        add_operand(key);
      else
        add_key(key, {}, arguments_.command.step_keys, "Step");
    }
    for (const job::Key& key : job::input_keys_of(kind_))
      add_key(key, {}, arguments_.command.input_keys, job::is_of_places(key.name) ? "Points" : "Input file");
    add_files();
    for (const job::Key& key : job::execution_keys()) add_key(key, {}, arguments_.command.execution_keys, "Execution");
    for (const job::Key& key : job::output_keys())
      if (key.name != "file") add_key(key, {}, arguments_.command.output_keys, "Results");
    add_run_options(verb_, arguments_.run);
    verb_.add_flag("--print-job", arguments_.print_job, "Print the equivalent job file, then exit");
  }

 private:
  void add_first_operand() {
    const std::vector<job::Key> keys = job::first_operands(kind_);
    if (keys.empty()) return;
    const bool takes_maps = keys.front().form == "alm";
    verb_
        .add_option("file", arguments_.command.first,
                    keys.size() > 1
                        ? "Input file; one of: " + names_of(keys)
                        : job::plain_text(keys.front().help) + (takes_maps ? "; a map is analysed first" : ""))
        ->required()
        ->type_name("FILE");
    for (const job::Key& key : keys) taken_.insert(key.name);
  }
  static std::string names_of(const std::vector<job::Key>& keys) {
    std::string names;
    for (const job::Key& key : keys) names += (names.empty() ? "" : ", ") + key.name;
    return names;
  }

  void add_operand(const job::Key& key) {
    if (!taken_.insert(key.name).second) return;
    auto* option = verb_.add_option_function<std::string>(
        job::option_name({key.name}),
        [&operands = arguments_.command.operands, name = key.name](const std::string& file) {
          operands.emplace_back(name, file);
        },
        job::plain_text(key.help));
    option->type_name("FILE")->group("Step");
    if (key.is_required) option->required();
  }

  /// Adds one option for each key without members. Options for members of a section are prefixed with its name.
  void add_key(const job::Key& key, std::vector<std::string> path, Settings& settings, const std::string& group) {
    path.push_back(key.name);
    if (path.size() == 1 && !taken_.insert(key.name).second) return;
    if (job::is_flat_section(key)) {
      for (const job::Key& member : key.members) add_key(member, path, settings, group);
      return;
    }
    const std::string name = job::option_name(path);
    CLI::Option* option = nullptr;
    if (key.type == job::KeyType::kFlag) {
      option = verb_.add_flag_function(
          name + ",!--no-" + name.substr(2),
          [&settings, path](std::int64_t count) { settings.emplace_back(path, count > 0 ? "true" : "false"); },
          option_help(key));
    } else {
      option = verb_.add_option_function<std::string>(
          name, [&settings, path](const std::string& value) { settings.emplace_back(path, value); }, option_help(key));
      option->type_name(value_word(key));
      if (key.is_required && path.size() == 1) option->required();
    }
    option->group(group);
  }

  void add_files() {
    job::StepCommand& command = arguments_.command;
    const auto several = [](CLI::Option* option) { option->expected(1)->allow_extra_args(false)->take_all(); };
    std::vector<job::Key> results;
    for (const job::Key& key : kind_.keys)
      if (key.type == job::KeyType::kResult) results.push_back(key);
    CLI::Option* out = verb_.add_option("-o,--out", command.out,
                                        results.size() > 1 ? "Result files, as KEY=FILE; keys: " + names_of(results)
                                                           : "Result file; the extension selects the format");
    several(out->type_name(results.size() > 1 ? "KEY=FILE" : "FILE")->group("Results"));
    several(verb_
                .add_option_function<std::vector<std::string>>(
                    "--input",
                    [&command](const std::vector<std::string>& inputs) {
                      for (const std::string& one : inputs) {
                        const std::size_t equals = one.find('=');
                        if (equals == std::string::npos || equals == 0)
                          throw CLI::ValidationError("--input", "'" + one + "' is not NAME=FILE");
                        command.inputs.emplace_back(one.substr(0, equals), one.substr(equals + 1));
                      }
                    },
                    "Define a named file for options such as --method '{cg: {mask: NAME}}'")
                ->type_name("NAME=FILE")
                ->group("Step"));
  }

  CLI::App& verb_;
  const job::OperationKind& kind_;
  StepArguments& arguments_;
  std::set<std::string> taken_;  ///< keys that have an option
};

/// Returns the option for the longest part of the key path `key` that has one, and the rest of the path: "--by-window",
/// or "--method: cg.tolerance". If there is none, returns the key.
std::string option_for(const CLI::App& verb, const std::string& key) {
  for (std::size_t end = key.size(); end > 0 && end != std::string::npos; end = key.find_last_of(".[", end - 1)) {
    std::string path = key.substr(0, end);
    std::ranges::replace(path, '.', '-');
    const std::string name = job::option_name({path}), rest = key.substr(end);
    if (verb.get_option_no_throw(name) == nullptr) continue;
    return rest.starts_with('.') ? name + ": " + rest.substr(1) : name + rest;
  }
  return key;
}

/// Words a key of the job as the option of the verb that sets it (core::KeyWords).
std::string option_words(const CLI::App& verb, const std::string& section, const std::string& key,
                         const std::string& value) {
  const std::string name = section.substr(section.find_last_of('.') + 1);
  std::string words;
  if (section.starts_with("outputs.") && (key.empty() || key == "file"))
    words = "-o";
  else if (!key.empty())
    words = option_for(verb, key);
  else if (section.starts_with("inputs."))
    words = verb.get_option_no_throw(job::option_name({name})) != nullptr ? job::option_name({name}) : "input " + name;
  else
    words = name;
  return value.empty() ? words : words + " " + value;
}

int run_step(const CLI::App& verb, StepArguments& arguments) {
  if (arguments.print_job) {
    if (!arguments.run.options.overrides.empty())
      throw core::InputError(
          "--set cannot be combined with --print-job: specify the keys as options, or edit the printed job");
    if (!is_first_rank()) return core::kExitDone;
    std::vector<std::string> notes;
    print_text(job::job_of(arguments.command, notes));
    for (const std::string& note : notes) print("# {}\n", note);
    return core::kExitDone;
  }
  const job::JobSource source(fmt::format("command line ({})", arguments.command.step), [&arguments] {
    std::vector<std::string> notes;
    std::string text = job::job_of(arguments.command, notes);
    for (const std::string& note : notes) spdlog::info("{}", note);
    return text;
  });
  arguments.run.word = [&verb, &source](core::ErrorContext context) {
    if (context.where.starts_with(source.name)) context.where.clear();
    return core::sentence(context,
                          [&verb](const std::string& section, const std::string& key, const std::string& value) {
                            return option_words(verb, section, key, value);
                          });
  };
  return run_on_ranks(source, arguments.run);
}

}  // namespace

void add_steps(CLI::App& app, Action& chosen) {
  for (const job::OperationKind& kind : job::operation_kinds()) {
    if (!job::is_command(kind)) continue;
    auto arguments = std::make_shared<StepArguments>();
    arguments->command.step = kind.name;
    CLI::App* verb = app.add_subcommand(kind.name, job::plain_text(kind.help));
    verb->group("");  // listed at the end of the help instead, so that the help fits on a screen
    StepVerb(*verb, kind, *arguments).add_options();
    verb->footer(
        fmt::format("The options are the keys of step {} in a job file, listed in docs/job_keys.md.", kind.name));
    verb->callback([arguments, verb, &chosen] { chosen = [arguments, verb] { return run_step(*verb, *arguments); }; });
  }
}

}  // namespace armilla::app
