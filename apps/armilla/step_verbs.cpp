#include <armilla/core/error.hpp>
#include <armilla/core/log.hpp>
#include <armilla/job/command/command_files.hpp>
#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/command/step_command.hpp>
#include <armilla/job/parse/sections.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "key_text.hpp"
#include "launcher.hpp"
#include "memory_option.hpp"
#include "run_command.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::app {

namespace {

struct StepArguments {
  job::StepCommand command;
  RunArguments run;
  bool print_job = false;
};

using Settings = std::vector<job::StepCommand::Setting>;
/// Stores the value of an option.
using Setter = std::function<void(const std::vector<std::string>& path, const std::string& value)>;

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
        add_own_key(key, arguments_.command.step_keys, "Step");
    }
    for (const job::Key& key : job::input_keys_of(kind_)) {
      // Keys of maps, such as ordering: --input-ordering.
      if (is_of_outputs(key.name) && job::is_key_of(key.name, job::ValueSort::kMap))
        add_key(key, {}, input_setter({}), "input-", "Input files");
      else if (taken_.insert(key.name).second)
        add_key(key, {}, input_setter({}), "", "Input files");
      for (const job::Key& operand : job::file_operands(kind_))
        add_key(key, {}, input_setter(operand.name), operand.name + ".", "");
    }
    add_files();
    for (const job::Key& key : job::execution_keys()) add_own_key(key, arguments_.command.execution_keys, "Execution");
    for (const job::Key& key : job::output_keys())
      if (key.name != "file") add_own_key(key, arguments_.command.output_keys, "Results");
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

  static bool is_of_outputs(const std::string& key) {
    const std::vector<job::Key> outputs = job::output_keys();
    return std::ranges::find(outputs, key, &job::Key::name) != outputs.end();
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

  static Setter setter(Settings& settings) {
    return [&settings](const std::vector<std::string>& path, const std::string& value) {
      settings.emplace_back(path, value);
    };
  }
  /// Of a key of the files of all operands, or of one.
  Setter input_setter(const std::string& operand) {
    return [&keys = arguments_.command.input_keys, operand](const std::vector<std::string>& path,
                                                            const std::string& value) {
      keys.push_back({operand, {path, value}});
    };
  }

  void add_own_key(const job::Key& key, Settings& settings, const std::string& group) {
    if (taken_.insert(key.name).second) add_key(key, {}, setter(settings), "", group);
  }

  /// Adds one option for each key without members. Options for members of a section are prefixed with its name.
  /// `operand`: prefix for a key of its file, such as "mask.". Without a group, the help does not list the option.
  void add_key(const job::Key& key, std::vector<std::string> path, const Setter& set, const std::string& operand,
               const std::string& group) {
    path.push_back(key.name);
    if (job::is_flat_section(key)) {
      for (const job::Key& member : key.members) add_key(member, path, set, operand, group);
      return;
    }
    std::string words = job::option_name({operand}) + job::option_name(path).substr(2);
    if (path == std::vector<std::string>{"fields"}) words += "," + job::option_name({operand}) + "field";
    CLI::Option* option = nullptr;
    if (key.type == job::KeyType::kFlag) {
      option = verb_.add_flag_function(
          words + ",!--" + operand + "no-" + job::option_name(path).substr(2),
          [set, path](std::int64_t count) { set(path, count > 0 ? "true" : "false"); }, option_help(key));
    } else {
      option = verb_.add_option_function<std::string>(
          words, [set, path](const std::string& value) { set(path, value); }, option_help(key));
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
                    "Define a named file for options such as --method '{cg: {mask: NAME}}'; instead of FILE also the "
                    "section "
                    "of an input: NAME='{map: FILE, fields: [GAL060]}'")
                ->type_name("NAME=FILE")
                ->group("Step"));
  }

  CLI::App& verb_;
  const job::OperationKind& kind_;
  StepArguments& arguments_;
  std::set<std::string> taken_;  ///< keys that have an option
};

/// Words the keys of the job of a command as its options and files (core::KeyWords).
class CommandWords {
 public:
  CommandWords(const CLI::App& verb, const job::OperationKind& kind, const job::StepCommand& command)
      : verb_(verb), kind_(kind), command_(command) {}

  /// The message of an error or a warning. `job_name`: that of the job, which the message omits.
  std::string message(core::ErrorContext context, const std::string& job_name) const {
    if (context.where.starts_with(job_name)) context.where.clear();
    // An operand is named by its file, that of the first by its file alone.
    if (const std::string file = file_of(context.key); context.value && !file.empty()) {
      if (verb_.get_option_no_throw(job::option_name({context.key})) == nullptr) {
        context.text = file + " " + context.text;
        context.section = context.key = "";
        context.value.reset();
      } else {
        context.value = file;
      }
    }
    return core::sentence(context, [&](const std::string& section, const std::string& key, const std::string& value) {
      return words(section.empty() ? context.section : section, key, value);
    });
  }

 private:
  std::string words(const std::string& section, const std::string& key, const std::string& value) const {
    const std::string name = section.substr(section.find_last_of('.') + 1);
    if (section.starts_with("value.")) {
      const std::string file = file_of(name);
      return file.empty() ? "'" + name + "'" : file;
    }
    if (section.starts_with("steps.")) return key.empty() ? "armilla " + name : other_verb(name, key, value);
    if (section == "inputs" && !key.empty()) return fmt::format("--input {}=FILE", key);
    if (section.starts_with("outputs.") && (key.empty() || key == "file")) return "-o";
    if (section.starts_with("inputs.") && !key.empty() && !is_first(name) && !file_of(name).empty())
      return with_value(job::option_name({name}) + "." + job::option_name({key}).substr(2), value);
    const std::string own = job::option_name({"input", key});
    if (section.starts_with("inputs.") && verb_.get_option_no_throw(own) != nullptr) return with_value(own, value);
    if (!key.empty()) return with_value(option_for(key), value);
    if (section.starts_with("inputs."))
      return verb_.get_option_no_throw(job::option_name({name})) != nullptr ? job::option_name({name})
                                                                            : "input " + name;
    return name;
  }

  /// The option for the longest part of the key path that has one, and the rest of the path: "--by-window", or
  /// "--method: cg.tolerance". If there is none, the key.
  std::string option_for(const std::string& key) const {
    for (std::size_t end = key.size(); end > 0 && end != std::string::npos; end = key.find_last_of(".[", end - 1)) {
      std::string path = key.substr(0, end);
      std::ranges::replace(path, '.', '-');
      const std::string name = job::option_name({path}), rest = key.substr(end);
      if (verb_.get_option_no_throw(name) == nullptr) continue;
      return rest.starts_with('.') ? name + ": " + rest.substr(1) : name + rest;
    }
    return key;
  }

  /// "--bad-data zero", "--allow-aliasing", "--fields Q,U", "--method: cg.tolerance: 1e-8".
  std::string with_value(const std::string& words, std::string value) const {
    if (value.empty()) return words;
    constexpr std::string_view kForce = "{force: ";
    if (value.starts_with(kForce) && value.ends_with('}'))  // has a short form
      return fmt::format("{} force={}", words, value.substr(kForce.size(), value.size() - kForce.size() - 1));
    const CLI::Option* option = verb_.get_option_no_throw(words);
    if (option != nullptr && option->get_items_expected_max() == 0) return words;
    if (option == nullptr && words.find(": ") != std::string::npos) return words + ": " + value;
    if (value.starts_with('[') && value.ends_with(']')) {
      value = value.substr(1, value.size() - 2);
      std::erase(value, ' ');
    }
    return words + " " + (value.starts_with('{') ? "'" + value + "'" : value);
  }

  static std::string other_verb(const std::string& name, const std::string& key, const std::string& value) {
    return fmt::format("armilla {} {}{}", name, job::option_name({key}), value.empty() ? "" : " " + value);
  }

  bool is_first(const std::string& name) const {
    const std::vector<job::Key> first = job::first_operands(kind_);
    return std::ranges::find(first, name, &job::Key::name) != first.end() || name == "map";
  }

  /// The file of an operand or of an input, or of the map whose coefficients have that name; empty for other names.
  std::string file_of(const std::string& name) const {
    constexpr std::string_view kAlm = "_alm";
    for (const auto& [key, file] : command_.operands)
      if (key == name || key + std::string(kAlm) == name) return file;
    for (const auto& [key, file] : command_.inputs)
      if (key == name) return file;
    if (is_first(name)) return command_.first;
    return name.ends_with(kAlm) && is_first(name.substr(0, name.size() - kAlm.size())) ? command_.first : "";
  }

  const CLI::App& verb_;
  const job::OperationKind& kind_;
  const job::StepCommand& command_;
};

int run_step(const CLI::App& verb, const job::OperationKind& kind, StepArguments& arguments) {
  if (arguments.print_job) {
    if (!arguments.run.options.overrides.empty())
      throw core::InputError(
          "--set cannot be combined with --print-job: specify the keys as options, or edit the printed job");
    if (!is_first_rank()) return core::kExitDone;
    std::vector<std::string> notes;
    job::HeldContents held;
    print_text(job::job_of(arguments.command, notes, held));
    for (const std::string& note : notes) print("# {}\n", note);
    return core::kExitDone;
  }
  job::HeldContents held{memory_limit_or_default(arguments.run.options.memory_limit)};
  job::JobSource source(fmt::format("command line ({})", arguments.command.step), [&arguments, &held] {
    std::vector<std::string> notes;
    std::string text = job::job_of(arguments.command, notes, held);
    for (const std::string& note : notes) core::log().info("{}", note);
    return text;
  });
  source.word = [words = CommandWords(verb, kind, arguments.command),
                 name = source.name](const core::ErrorContext& context) { return words.message(context, name); };
  return run_on_ranks(source, arguments.run);
}

}  // namespace

namespace {

std::string footer_of(const job::OperationKind& kind) {
  std::string text =
      fmt::format("The options are the keys of step {} in a job file, listed in docs/job_keys.md.", kind.name);
  const std::vector<job::Key> operands = job::file_operands(kind), keys = job::input_keys_of(kind);
  if (operands.size() < 2 || keys.empty()) return text;
  std::vector<std::string> options;
  for (const job::Key& operand : operands) options.push_back(job::option_name({operand.name}) + ".KEY");
  return text +
         fmt::format(
             "\nThe options under 'Input files' hold for all files to which they apply; components are selected in "
             "those that have the components of the first. Options of one file: {}, such as {}.{}.",
             fmt::join(options, ", "), job::option_name({operands.back().name}),
             job::option_name({keys.front().name}).substr(2));
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
    verb->footer(footer_of(kind));
    verb->callback([arguments, verb, &kind, &chosen] {
      chosen = [arguments, verb, &kind] { return run_step(*verb, kind, *arguments); };
    });
  }
}

}  // namespace armilla::app
