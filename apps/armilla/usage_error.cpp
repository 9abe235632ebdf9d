#include "usage_error.hpp"

#include <armilla/job/command/step_command.hpp>
#include <armilla/job/parse/foreign_words.hpp>
#include <armilla/job/parse/nearest_key.hpp>
#include <armilla/job/parse/operation.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace armilla::app {

namespace {

// What users see in --help.
std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    names.push_back(verb->get_name());
  return names;
}

std::string describe_unknown_verb(const std::string& word, const std::vector<std::string>& verbs) {
  const std::string unknown = fmt::format("unknown verb '{}'", word);
  if (word.ends_with(".yaml") || word.ends_with(".yml"))
    return fmt::format("{}: to run a job, use 'armilla run {}'", unknown, word);
  if (!job::foreign_word(word).empty()) return fmt::format("{}: {}", unknown, job::explain_unknown(word, verbs));
  std::vector<std::string> words = verbs;
  for (const auto& kind : job::operation_kinds()) words.push_back(kind.name);
  const std::string nearest = job::nearest_key(word, words);
  if (std::ranges::count(verbs, nearest) > 0) return fmt::format("{}: {}", unknown, job::explain_unknown(word, verbs));
  const auto step = std::ranges::find(job::operation_kinds(), nearest, &job::OperationKind::name);
  if (step != job::operation_kinds().end() && job::is_command(*step))
    return fmt::format("{}: did you mean '{}'? Other verbs: {}", unknown, nearest, fmt::join(verbs, ", "));
  return fmt::format("{}: {}'{}' is a step of a job, and 'armilla run job.yaml' runs jobs. Known verbs: {}", unknown,
                     nearest == word ? "" : "did you mean a step? ", nearest, fmt::join(verbs, ", "));
}

}  // namespace

std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> extra = app.remaining(true);
  const bool has_verb = !app.get_subcommands().empty();
  if (extra.empty() && !has_verb)
    return fmt::format("no verb is given: expected one of {}", fmt::join(verbs_of(app), ", "));
  if (extra.empty()) return error.what();
  const std::string& word = extra.front();
  const bool is_option = word.starts_with("-");
  if (!has_verb && !is_option) return describe_unknown_verb(word, verbs_of(app));
  // A word of healpy as an option: --iter, --iter=3.
  const std::size_t begin = std::min(word.find_first_not_of('-'), word.size());
  const std::string foreign = is_option ? job::foreign_word(word.substr(begin, word.find('=') - begin)) : "";
  return foreign.empty() ? error.what() : fmt::format("{}: {}", error.what(), foreign);
}

}  // namespace armilla::app
