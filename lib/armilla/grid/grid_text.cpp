#include <armilla/core/error.hpp>
#include <armilla/grid/grid_text.hpp>
#include <armilla/grid/healpix.hpp>
#include <armilla/grid/makers.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::grid {

namespace {

constexpr Index kLargestNumber = Index{1} << 30;

// In short forms, rules have names of their own: "cc:65".
const std::string& short_name(const GridKind& kind) { return kind.rule.empty() ? kind.kind : kind.rule; }

std::string upper(std::string word) {
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const auto end = text.find(':');
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw core::InputError(fmt::format("grid {}: {}", text, why));
}

[[noreturn]] void refuse_form(const std::string& text, const std::string& why) {
  refuse(text, fmt::format("{}: use one of {}", why, fmt::join(grid_forms(), ", ")));
}

template <class Number>
std::optional<Number> number_of(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

void set_parameter(GridDescription& grid, const GridKey& key, std::string_view word, const std::string& text) {
  if (key.real != nullptr) {
    const auto number = number_of<double>(word);
    if (!number || !std::isfinite(*number))
      refuse(text, fmt::format("{} = {} is not a finite number: correct it", key.name, word));
    grid.*key.real = *number;
    return;
  }
  const auto number = number_of<Index>(word);
  const Index largest = key.whole == &GridDescription::nside ? kLargestNside : kLargestNumber;
  if (!number || *number < 1 || *number > largest)
    refuse(text, fmt::format("{} = {} is {}: use an integer from 1 to {}", key.name, word,
                             number ? "out of range" : "not an integer", largest));
  grid.*key.whole = *number;
}

}  // namespace

std::vector<std::string> grid_forms() {
  std::vector<std::string> forms;
  for (const GridKind& kind : grid_kinds()) {
    std::string form = short_name(kind);
    for (std::size_t i = 0; i < kind.keys.size(); ++i) form += (i == 0 ? ":" : "[:") + upper(kind.keys[i].name);
    form += std::string(kind.keys.size() - 1, ']');  // nested, because the order is fixed
    forms.push_back(form);
  }
  return forms;
}

GridDescription parse_grid_text(const std::string& text) {
  const auto words = words_of(text);
  for (const GridKind& kind : grid_kinds()) {
    if (short_name(kind) != words.front()) continue;
    if (words.size() < 2 || words.size() > kind.keys.size() + 1)
      refuse_form(
          text, fmt::format("a {} grid takes {}, but {} were specified", short_name(kind),
                            kind.keys.size() == 1 ? "1 parameter" : fmt::format("1 to {} parameters", kind.keys.size()),
                            words.size() - 1));
    GridDescription description{.kind = kind.kind, .rule = kind.rule};
    for (std::size_t i = 1; i < words.size(); ++i) set_parameter(description, kind.keys[i - 1], words[i], text);
    return description;
  }
  refuse_form(text, fmt::format("there is no grid '{}'", words.front()));
}

std::string grid_text(const GridDescription& grid) {
  const GridKind* kind = find_grid_kind(grid.kind, grid.rule);
  if (kind == nullptr || !grid.is_whole()) return {};
  std::string text = short_name(*kind), so_far = text;
  for (const GridKey& key : kind->keys) {
    const bool is_default = key.whole != nullptr ? grid.*key.whole == 0 : grid.*key.real == 0;
    // If a later parameter has a value, the preceding ones are written unchanged.
    so_far += key.whole != nullptr ? fmt::format(":{}", grid.*key.whole) : fmt::format(":{}", grid.*key.real);
    if (!is_default) text = so_far;
  }
  return text;
}

}  // namespace armilla::grid
