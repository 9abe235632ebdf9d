#include <armilla/core/error.hpp>
#include <armilla/ops/solvers/fit_progress.hpp>

#include <algorithm>
#include <limits>

namespace armilla::ops {

namespace {

class NumberReader {
 public:
  explicit NumberReader(std::span<const double> numbers) : numbers_(numbers) {}
  double next() {
    if (numbers_.empty()) throw core::InternalError("the state of a fit is truncated");
    const double value = numbers_.front();
    numbers_ = numbers_.subspan(1);
    return value;
  }
  bool flag() { return next() != 0; }
  Index count() { return static_cast<Index>(next()); }
  std::span<const double> several(std::size_t count) {
    if (numbers_.size() < count) throw core::InternalError("the state of a fit is truncated");
    const std::span<const double> values = numbers_.first(count);
    numbers_ = numbers_.subspan(count);
    return values;
  }
  bool at_end() const { return numbers_.empty(); }

 private:
  std::span<const double> numbers_;
};

}  // namespace

FitProgress::FitProgress(std::size_t systems)
    : states(systems),
      outcomes(systems),
      data_squares(systems, 0.0),
      left_squares(systems, 0.0),
      first(systems, 0.0),
      before(systems, std::numeric_limits<double>::infinity()),
      alm_squares(systems, 0.0),
      beta(systems, 0.0),
      finished(systems, false) {}

Index FitProgress::iterations() const {
  Index most = 0;
  for (const FitState& state : states) most = std::max(most, state.iterations);
  return most;
}

std::vector<double> FitProgress::numbers() const {
  std::vector<double> all{static_cast<double>(round), static_cast<double>(states.size())};
  const auto add = [&](auto value) { all.push_back(static_cast<double>(value)); };
  for (std::size_t k = 0; k < states.size(); ++k) {
    const AnalysisOutcome& outcome = outcomes[k];
    add(states[k].active);
    add(states[k].iterations);
    add(states[k].square);
    add(outcome.iterations);
    add(outcome.normal_residual);
    add(outcome.map_residual);
    add(outcome.condition);
    add(outcome.alm_error.has_value());
    add(outcome.alm_error.value_or(0));
    add(outcome.converged);
    for (const auto* values : {&data_squares, &left_squares, &first, &before, &alm_squares, &beta}) add((*values)[k]);
    add(finished[k]);
    const std::vector<double> ritz = states[k].ritz.numbers();
    add(ritz.size());
    all.insert(all.end(), ritz.begin(), ritz.end());
  }
  return all;
}

void FitProgress::take(std::span<const double> numbers) {
  NumberReader reader(numbers);
  round = reader.count();
  if (reader.count() != static_cast<Index>(states.size()))
    throw core::InternalError("the state of a fit has a different number of systems");
  for (std::size_t k = 0; k < states.size(); ++k) {
    AnalysisOutcome& outcome = outcomes[k];
    states[k].active = reader.flag();
    states[k].iterations = reader.count();
    states[k].square = reader.next();
    outcome.iterations = reader.count();
    outcome.normal_residual = reader.next();
    outcome.map_residual = reader.next();
    outcome.condition = reader.next();
    const bool has_error = reader.flag();
    const double error = reader.next();
    outcome.alm_error = has_error ? std::optional(error) : std::nullopt;
    outcome.converged = reader.flag();
    for (auto* values : {&data_squares, &left_squares, &first, &before, &alm_squares, &beta})
      (*values)[k] = reader.next();
    finished[k] = reader.flag();
    const auto count = static_cast<std::size_t>(reader.count());
    states[k].ritz = RitzValues(reader.several(count));
  }
  if (!reader.at_end()) throw core::InternalError("the state of a fit is too long");
}

}  // namespace armilla::ops
