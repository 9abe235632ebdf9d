#include "usage_error.hpp"

#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/parse/foreign_words.hpp>
#include <armilla/job/parse/nearest_key.hpp>
#include <armilla/job/parse/operation_kind.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace armilla::app {

namespace {

// Verbs that --help lists.
std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    names.push_back(verb->get_name());
  return names;
}

/// The verbs for a message, with a reference to the steps, which are too many to list.
std::string verbs_text(const std::vector<std::string>& verbs) {
  return fmt::format("{}, or a job step (see 'armilla list steps')", fmt::join(verbs, ", "));
}

/// The known word of which `word` is probably a misspelling: the nearest one, if at most a third of the letters differ
/// or letters are transposed. Otherwise empty.
std::string close_word(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = job::nearest_key(word, known);
  return std::ranges::is_permutation(word, nearest) ? nearest : job::close_key(word, known);
}

std::string describe_unknown_verb(const std::string& word, const std::vector<std::string>& verbs) {
  const std::string unknown = fmt::format("unknown verb '{}'", word);
  if (word.ends_with(".yaml") || word.ends_with(".yml"))
    return fmt::format("{}: to run a job, use 'armilla run {}'", unknown, word);
  constexpr auto kCommand = job::WordPlace::kCommand;
  if (!job::foreign_word(word, kCommand).empty())
    return fmt::format("{}: {}", unknown, job::explain_unknown(word, verbs, kCommand));
  std::vector<std::string> words = verbs;
  for (const auto& kind : job::operation_kinds()) words.push_back(kind.name);
  const std::string close = close_word(word, words);
  const auto step = std::ranges::find(job::operation_kinds(), close, &job::OperationKind::name);
  if (step != job::operation_kinds().end() && !job::is_command(*step)) {
    const std::string where = fmt::format("is available only in job files: see 'armilla help step {}'", close);
    return close == word ? fmt::format("'{}' {}", close, where)
                         : fmt::format("{}: did you mean the step '{}'? It {}", unknown, close, where);
  }
  if (close.empty()) return fmt::format("{}: use {}", unknown, verbs_text(verbs));
  return fmt::format("{}: did you mean '{}'? Verbs: {}", unknown, close, verbs_text(verbs));
}

/// `word` is the option as written, such as "--iter" or "--iter=3".
std::string describe_unknown_option(const CLI::App& verb, const std::string& word) {
  const std::string option = word.substr(0, word.find('='));
  const std::string name = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  const std::string unknown = fmt::format("armilla {} has no option {}", verb.get_name(), option);
  const std::string foreign = job::foreign_word(name, job::WordPlace::kCommand);
  if (!foreign.empty()) return fmt::format("{}: {}", unknown, foreign);
  std::vector<std::string> names;
  for (const CLI::Option* one : verb.get_options())
    for (const std::string& known : one->get_lnames()) names.push_back("--" + known);
  std::string dashed = option;
  std::ranges::replace(dashed, '_', '-');
  const std::string close = job::close_key(dashed, names);
  return close.empty() ? fmt::format("{}: see armilla {} --help", unknown, verb.get_name())
                       : fmt::format("{}: did you mean '{}'?", unknown, close);
}

}  // namespace

std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> extra = app.remaining(true);
  if (app.get_subcommands().empty()) {
    if (extra.empty()) return fmt::format("missing verb: expected one of {}", verbs_text(verbs_of(app)));
    return extra.front().starts_with("-") ? error.what() : describe_unknown_verb(extra.front(), verbs_of(app));
  }
  if (extra.empty()) return error.what();
  const CLI::App& verb = *app.get_subcommands().front();
  const auto option = std::ranges::find_if(extra, [](const std::string& word) { return word.starts_with("-"); });
  if (option != extra.end()) return describe_unknown_option(verb, *option);
  return fmt::format("armilla {} does not accept '{}': see armilla {} --help", verb.get_name(), extra.front(),
                     verb.get_name());
}

}  // namespace armilla::app
