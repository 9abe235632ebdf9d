#include <armilla/backend/context.hpp>
#include <armilla/bench/bench_case.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/precision_name.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/legendre/engine.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace armilla::bench {

namespace {

constexpr Index kLargestNumber = Index{1} << 30;

std::string upper(std::string word) {
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> words;
  while (true) {
    const auto end = text.find(separator);
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

[[noreturn]] void refuse_grid(const std::string& text, const std::string& why) {
  throw core::InputError(fmt::format("--grid {}: {}: give one of {}", text, why, fmt::join(bench_grid_forms(), ", ")));
}

template <class Number>
std::optional<Number> number_of(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

void set_parameter(grid::GridDescription& grid, const grid::GridKey& key, std::string_view word,
                   const std::string& text) {
  if (key.real != nullptr) {
    const auto number = number_of<double>(word);
    if (!number) refuse_grid(text, fmt::format("{} = {} is not a number", key.name, word));
    grid.*key.real = *number;
    return;
  }
  const auto number = number_of<Index>(word);
  if (!number || *number < 1 || *number > kLargestNumber)
    refuse_grid(text, fmt::format("{} = {} is not a whole number from 1 to {}", key.name, word, kLargestNumber));
  grid.*key.whole = *number;
}

// Rules are names of their own here: "cc:65".
const std::string& bench_name(const grid::GridKind& kind) { return kind.rule.empty() ? kind.kind : kind.rule; }

template <class Value, std::size_t N>
Value find_word(const char* option, const std::string& word, const std::array<Value, N>& values) {
  std::vector<std::string> names;
  for (const Value value : values) {
    if (word == name_of(value)) return value;
    names.emplace_back(name_of(value));
  }
  throw core::InputError(fmt::format("{} {} does not exist: give one of {}", option, word, fmt::join(names, ", ")));
}

void check_range(const char* option, Index value, Index least) {
  if (value < least || value > kLargestNumber)
    throw core::InputError(
        fmt::format("{} {} is out of range: give a number from {} to {}", option, value, least, kLargestNumber));
}

void check_engine(const std::string& engine) {
  const std::vector<std::string> names = legendre::engine_names();
  if (std::ranges::find(names, engine) == names.end())
    throw core::InputError(fmt::format("--engine {} does not exist: give one of {}", engine, fmt::join(names, ", ")));
}

void check(const BenchCase& one) {
  check_range("--lmax", one.lmax, 0);
  check_range("--spin", one.spin, 0);
  check_range("--maps", one.maps, 1);
  check_range("--rounds", one.rounds, 1);
  backend::check_backend(one.backend);
  check_engine(one.engine);
  if (one.lmax < one.spin)
    throw core::InputError(
        fmt::format("--lmax {} is below --spin {}: no such function exists, raise lmax", one.lmax, one.spin));
}

// The cases that add every value of one more list to what is there.
template <class Value, class Set>
void sweep_over(std::vector<BenchCase>& cases, const std::vector<Value>& values, Set&& set) {
  std::vector<BenchCase> result;
  for (const BenchCase& one : cases)
    for (const Value& value : values) set(result.emplace_back(one), value);
  cases = std::move(result);
}

}  // namespace

const char* name_of(BenchDirection direction) {
  switch (direction) {
    case BenchDirection::kSynthesis:
      return "synthesis";
    case BenchDirection::kAnalysis:
      return "analysis";
    case BenchDirection::kAdjoint:
      return "adjoint";
    case BenchDirection::kAdjointAnalysis:
      break;
  }
  return "adjoint_analysis";
}

const char* name_of(core::Precision precision) { return core::precision_name(precision); }

std::vector<std::string> bench_grid_forms() {
  std::vector<std::string> forms;
  for (const auto& kind : grid::grid_kinds()) {
    std::string form = bench_name(kind);
    for (std::size_t i = 0; i < kind.keys.size(); ++i)
      form += (i == 0 ? ":" : "[:") + upper(kind.keys[i].name) + (i == 0 ? "" : "]");
    forms.push_back(form);
  }
  return forms;
}

grid::GridDescription parse_bench_grid(const std::string& text) {
  const auto words = split(text, ':');
  for (const auto& kind : grid::grid_kinds()) {
    if (bench_name(kind) != words.front()) continue;
    if (words.size() < 2 || words.size() > kind.keys.size() + 1)
      refuse_grid(text, fmt::format("{} parameters do not make a {} grid", words.size() - 1, bench_name(kind)));
    grid::GridDescription description{.kind = kind.kind, .rule = kind.rule};
    for (std::size_t i = 1; i < words.size(); ++i) set_parameter(description, kind.keys[i - 1], words[i], text);
    return description;
  }
  refuse_grid(text, fmt::format("no grid is called '{}'", words.front()));
}

std::vector<BenchCase> bench_cases(const BenchSweep& sweep) {
  std::vector<BenchCase> cases(1);
  sweep_over(cases, sweep.grids, [](BenchCase& one, const std::string& text) {
    one.grid_text = text;
    one.grid = parse_bench_grid(text);
  });
  if (sweep.lmax.empty())
    for (BenchCase& one : cases) one.lmax = grid::make_grid(one.grid).analysis_lmax();
  else
    sweep_over(cases, sweep.lmax, [](BenchCase& one, Index lmax) { one.lmax = lmax; });
  sweep_over(cases, sweep.spins, [](BenchCase& one, Index spin) { one.spin = spin; });
  sweep_over(cases, sweep.directions, [](BenchCase& one, const std::string& word) {
    one.direction = find_word("--direction", word,
                              std::array{BenchDirection::kSynthesis, BenchDirection::kAnalysis,
                                         BenchDirection::kAdjoint, BenchDirection::kAdjointAnalysis});
  });
  sweep_over(cases, sweep.maps, [](BenchCase& one, Index maps) { one.maps = maps; });
  sweep_over(cases, sweep.precisions, [](BenchCase& one, const std::string& word) {
    one.precision = find_word("--precision", word, std::array{core::Precision::kDouble, core::Precision::kSingle});
  });
  sweep_over(cases, sweep.backends, [](BenchCase& one, const std::string& word) {
    using enum backend::Kind;
    one.backend = find_word("--backend", word, std::array{kAuto, kCuda, kCpu});
  });
  sweep_over(cases, sweep.engines, [](BenchCase& one, const std::string& engine) { one.engine = engine; });
  sweep_over(cases, sweep.theta_resampling, [](BenchCase& one, const std::string& word) {
    using enum backend::ThetaResampling;
    one.theta_resampling = find_word("--theta-resampling", word, std::array{kAuto, kOn, kOff});
  });
  sweep_over(cases, sweep.rounds, [](BenchCase& one, Index rounds) { one.rounds = rounds; });
  for (const BenchCase& one : cases) check(one);
  return cases;
}

}  // namespace armilla::bench
