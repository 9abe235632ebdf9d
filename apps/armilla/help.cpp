#include <armilla/core/error.hpp>
#include <armilla/job/command/command_example.hpp>
#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/parse/foreign_words.hpp>
#include <armilla/job/parse/nearest_key.hpp>
#include <armilla/job/parse/sections.hpp>
#include <armilla/job/steps/analysis_method.hpp>

#include <algorithm>
#include <memory>

#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::app {

namespace {

/// "; required", "; default: 3", or empty.
std::string need_text(const job::Key& key) {
  if (key.is_required) return "; required";
  if (!key.requirement.empty()) return "; " + job::plain_text(key.requirement, job::Quotes::kNone);
  return key.fallback.empty() ? "" : "; default: " + job::plain_text(key.fallback, job::Quotes::kNone);
}

void append_keys(std::string& text, const std::vector<job::Key>& keys, const std::string& prefix = "") {
  for (const job::Key& key : keys) {
    text += fmt::format("  {}{}: {}{}\n      {}\n", prefix, key.name,
                        job::plain_text(job::type_text(key), job::Quotes::kNone), need_text(key),
                        job::plain_text(key.help));
    append_keys(text, key.members, prefix + key.name + ".");
  }
}

std::string keys_text(const std::vector<job::Key>& keys) {
  std::string text = keys.empty() ? "No keys.\n" : "Keys:\n";
  append_keys(text, keys);
  return text;
}

std::string help_of_step(const job::OperationKind& kind) {
  std::string text = fmt::format("{}: {}.\n\nIn a job:      - {}: {}\n", kind.name, job::plain_text(kind.help),
                                 kind.name, kind.example);
  text += job::is_command(kind) ? fmt::format("As a command:  {}\n", job::command_example(kind))
                                : "Available only in job files, because not all of its inputs can be files.\n";
  return text + "\n" + keys_text(kind.keys);
}

std::string help_of_method(const job::steps::MethodKind& kind) {
  return fmt::format("method {}: {}.\n\n{}", kind.name, job::plain_text(kind.help), keys_text(kind.keys));
}

/// Returns the row of that name. Throws InputError, which suggests the closest name.
template <class Row>
const Row& row_of(const std::vector<Row>& rows, const std::string& what, const std::string& name) {
  const auto row = std::ranges::find(rows, name, &Row::name);
  if (row != rows.end()) return *row;
  std::vector<std::string> names;
  for (const Row& one : rows) names.push_back(one.name);
  throw core::InputError(fmt::format("help: there is no {} '{}': {}", what, name, job::did_you_mean(name, names)));
}

struct Section {
  std::string name, what;
  std::vector<job::Key> (*keys)();
};

const std::vector<Section>& sections() {
  static const std::vector<Section> all{{"inputs", "each input has a name and these keys", job::input_keys},
                                        {"outputs", "each output has a name and these keys", job::output_keys},
                                        {"execution", "how the job runs", job::execution_keys},
                                        {"convention", "how coefficients in a file are defined", job::convention_keys}};
  return all;
}

std::string help_of(const CLI::App& app, const std::vector<std::string>& words) {
  // App::help() would return the help of the verb `help`, which was parsed.
  if (words.empty()) return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
  if (words.size() == 2 && words.front() == "step")
    return help_of_step(row_of(job::operation_kinds(), "step", words[1]));
  if (words.size() == 2 && words.front() == "method")
    return help_of_method(row_of(job::steps::method_kinds(), "method", words[1]));
  const std::string& word = words.front();
  if (words.size() == 1) {
    if (const auto step = std::ranges::find(job::operation_kinds(), word, &job::OperationKind::name);
        step != job::operation_kinds().end())
      return help_of_step(*step);
    if (const auto section = std::ranges::find(sections(), word, &Section::name); section != sections().end())
      return fmt::format("{}: {}.\n\n{}", word, section->what, keys_text(section->keys()));
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
      if (verb->get_name() == word) return verb->help(app.get_name());
    if (std::string foreign = job::explain_foreign(word); !foreign.empty()) return foreign;
  }
  std::vector<std::string> known{"step NAME", "method NAME"};
  for (const Section& section : sections()) known.push_back(section.name);
  throw core::InputError(
      fmt::format("help: '{}' is unknown: specify a verb, or {}", fmt::join(words, " "), fmt::join(known, ", ")));
}

}  // namespace

std::vector<std::string> help_words() {
  std::vector<std::string> words{"step", "method"};
  for (const Section& section : sections()) words.push_back(section.name);
  return words;
}

void add_help(CLI::App& app, Action& chosen) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* verb = app.add_subcommand("help", "Explain a verb, a job step or a section of the job file");
  verb->add_option("words", *words, "A verb; step NAME; method NAME; inputs, outputs, execution or convention")
      ->type_name("WORD...");
  verb->footer("Example: armilla help step analysis");
  verb->callback([words, &app, &chosen] {
    chosen = [words, &app] {
      print_text(help_of(app, *words));
      return core::kExitDone;
    };
  });
}

}  // namespace armilla::app
