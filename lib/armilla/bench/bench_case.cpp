#include <armilla/backend/context.hpp>
#include <armilla/bench/bench_case.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/precision_name.hpp>
#include <armilla/grid/grid_text.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/quadrature_error.hpp>
#include <armilla/legendre/engine.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace armilla::bench {

namespace {

constexpr Index kLargestNumber = Index{1} << 30;
// As in jobs, so that sizes in bytes do not overflow.
constexpr Index kLargestDegree = Index{1} << 20;
constexpr Index kMostMaps = Index{1} << 16;

template <class Value, std::size_t N>
Value find_word(const char* option, const std::string& word, const std::array<Value, N>& values) {
  std::vector<std::string> names;
  for (const Value value : values) {
    if (word == name_of(value)) return value;
    names.emplace_back(name_of(value));
  }
  throw core::InputError(fmt::format("{} {} does not exist: use one of {}", option, word, fmt::join(names, ", ")));
}

void check_range(const char* option, Index value, Index least, Index largest = kLargestNumber) {
  if (value < least || value > largest)
    throw core::InputError(
        fmt::format("{} {} is out of range: use a number from {} to {}", option, value, least, largest));
}

void check_engine(const std::string& engine) {
  const std::vector<std::string> names = legendre::engine_names();
  if (std::ranges::find(names, engine) == names.end())
    throw core::InputError(fmt::format("--engine {} does not exist: use one of {}", engine, fmt::join(names, ", ")));
}

void check(const BenchCase& one) {
  check_range("--lmax", one.lmax, 0, kLargestDegree);
  check_range("--spin", one.spin, 0, kLargestDegree);
  check_range("--maps", one.maps, 1, kMostMaps);
  check_range("--rounds", one.rounds, 1);
  backend::check_backend(one.backend);
  check_engine(one.engine);
  if (one.lmax < one.spin)
    throw core::InputError(fmt::format("--lmax {} is below --spin {}: raise --lmax", one.lmax, one.spin));
}

// Combines each case with every value of one more list.
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

std::vector<BenchCase> bench_cases(const BenchSweep& sweep) {
  std::vector<BenchCase> cases(1);
  sweep_over(cases, sweep.grids, [](BenchCase& one, const std::string& text) {
    one.grid_text = text;
    one.grid = grid::parse_grid_text(text);
  });
  if (sweep.lmax.empty())
    for (BenchCase& one : cases) one.lmax = grid::accurate_lmax(grid::make_grid(one.grid));
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
