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

// Verbs that --help lists, and the steps that are verbs.
std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    names.push_back(verb->get_name());
  for (const auto& kind : job::operation_kinds())
    if (job::is_command(kind) && std::ranges::find(names, kind.name) == names.end()) names.push_back(kind.name);
  return names;
}

std::string verbs_text(const std::vector<std::string>& verbs) { return fmt::format("{}", fmt::join(verbs, ", ")); }

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

std::vector<std::string> options_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* one : verb.get_options())
    for (const std::string& known : one->get_lnames()) names.push_back("--" + known);
  return names;
}

/// An option that begins with the same word, such as --fwhm-arcmin for --fwhm-deg; otherwise empty.
std::string related_option(const std::vector<std::string>& names, const std::string& option) {
  const std::string first = option.substr(0, option.find('-', 2)) + "-";
  const auto found = std::ranges::find_if(names, [&](const std::string& name) { return name.starts_with(first); });
  return found == names.end() ? "" : *found;
}

/// A verb and its option that has this name, or ends with it as --by-window does; otherwise empty.
std::string option_of_other_verb(const CLI::App& app, const std::string& name) {
  for (const CLI::App* other : app.get_subcommands([](const CLI::App*) { return true; }))
    for (const std::string& known : options_of(*other))
      if (known == "--" + name || known.ends_with("-" + name))
        return fmt::format("armilla {} has {}", other->get_name(), known);
  return "";
}

/// `word` is the option as written, such as "--iter" or "--iter=3".
std::string describe_unknown_option(const CLI::App& app, const CLI::App& verb, const std::string& word) {
  const std::string option = word.substr(0, word.find('='));
  const std::string name = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  const std::string unknown = fmt::format("armilla {} has no option {}", verb.get_name(), option);
  const std::string foreign = job::foreign_word(name, job::WordPlace::kCommand);
  if (!foreign.empty()) return fmt::format("{}: {}", unknown, foreign);
  const std::vector<std::string> names = options_of(verb);
  std::string dashed = option;
  std::ranges::replace(dashed, '_', '-');
  std::string close = job::close_key(dashed, names);
  if (close.empty()) close = related_option(names, dashed);
  if (!close.empty()) return fmt::format("{}: did you mean '{}'?", unknown, close);
  const std::string other = option_of_other_verb(app, name);
  return other.empty() ? fmt::format("{}: see armilla {} --help", unknown, verb.get_name())
                       : fmt::format("{}, but {}", unknown, other);
}

/// The option with which a verb takes a word that is not one of its files; otherwise empty.
std::string option_for_word(const CLI::App& verb, const std::string& word) {
  double number = 0;
  const bool is_number = CLI::detail::lexical_cast(word, number);
  for (const char* option : {"--factor", "--number"})
    if (is_number && verb.get_option_no_throw(option) != nullptr) return option;
  const char* const file = "--with";
  return !is_number && verb.get_option_no_throw(file) != nullptr ? file : "";
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
  if (option != extra.end()) return describe_unknown_option(app, verb, *option);
  const std::string known = option_for_word(verb, extra.front());
  if (!known.empty())
    return fmt::format("armilla {} takes '{}' as an option: {} {}", verb.get_name(), extra.front(), known,
                       extra.front());
  return fmt::format("armilla {} does not accept '{}': see armilla {} --help", verb.get_name(), extra.front(),
                     verb.get_name());
}

}  // namespace armilla::app
