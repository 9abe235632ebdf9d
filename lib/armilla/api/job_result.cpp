#include <armilla/api/access.hpp>
#include <armilla/api/result_state.hpp>
#include <armilla/core/instantiate.hpp>

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace armilla {

using api::Access;

namespace {

// The content of a value, removed from the result.
template <class T, class Held>
std::shared_ptr<Held> taken(api::ResultState& state, const std::string& name, const char* type) {
  auto* values = std::get_if<job::ValuesByName<T>>(&state.executed.values);
  const char* precision = values != nullptr ? "" : core::kPrecisionOf<T> == Precision::kDouble ? "single" : "double";
  if (values == nullptr)
    throw InputError(
        fmt::format("'{}' has {} precision, that of the job: take it in this precision, or set execution: "
                    "{{precision: ..}}",
                    name, precision));
  const auto found = values->find(name);
  if (found == values->end()) {
    std::vector<std::string> names;
    for (const auto& [other, value] : *values) names.push_back("'" + other + "'");
    throw InputError(
        fmt::format("the result has no '{}': it has {}. A value that a step uses is kept if Job::keep() "
                    "names it, and each value can be taken once",
                    name, names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "))));
  }
  if (found->second.template find<Held>() == nullptr)
    throw InputError(fmt::format("'{}' is not {}: take it as the type of value that its step makes", name, type));
  std::shared_ptr<Held> held = found->second.template share_own<Held>();
  values->erase(found);
  return held;
}

job::ValueSort sort_of(const api::ResultState& state, const std::string& name) {
  const auto found = state.sorts.find(name);
  if (found == state.sorts.end()) throw InputError(fmt::format("the result never had a value '{}'", name));
  return found->second;
}

// The tables of a value, removed from the result.
std::vector<SpectraTable> taken_tables(api::ResultState& state, const std::string& name) {
  if (std::holds_alternative<job::ValuesByName<float>>(state.executed.values))
    return std::move(*taken<float, job::Tables>(state, name, "spectra"));
  return std::move(*taken<double, job::Tables>(state, name, "spectra"));
}

}  // namespace

JobResult::JobResult(std::unique_ptr<api::ResultState> state) : state_(std::move(state)) {}
JobResult::JobResult(JobResult&& other) noexcept = default;
JobResult& JobResult::operator=(JobResult&& other) noexcept = default;
JobResult::~JobResult() = default;

std::vector<std::string> JobResult::names() const {
  std::vector<std::string> names;
  std::visit(
      [&](const auto& values) {
        for (const auto& [name, value] : values) names.push_back(name);
      },
      state_->executed.values);
  return names;
}

std::string JobResult::type(const std::string& name) const { return job::sort_name(sort_of(*state_, name)); }

Precision JobResult::precision() const {
  return std::holds_alternative<job::ValuesByName<float>>(state_->executed.values) ? Precision::kSingle
                                                                                   : Precision::kDouble;
}

template <class T>
Map<T> JobResult::take_map(const std::string& name) {
  return Access::make<Map<T>>(state_->comm, taken<T, transform::MapField<T>>(*state_, name, "a map"));
}

template <class T>
Alm<T> JobResult::take_alm(const std::string& name) {
  return Access::make<Alm<T>>(state_->comm, taken<T, transform::AlmField<T>>(*state_, name, "an alm"));
}

template <class T>
PointValues<T> JobResult::take_values(const std::string& name) {
  auto field = taken<T, points::PointField<T>>(*state_, name, "values");
  return Access::make<PointValues<T>>(std::move(field), state_->points.at(name), state_->comm->size());
}

std::vector<SpectraTable> JobResult::take_spectra(const std::string& name) {
  if (const auto sort = state_->sorts.find(name);
      sort != state_->sorts.end() && sort->second == job::ValueSort::kStatistics)
    throw InputError(fmt::format("'{}' is not spectra: use take_statistics()", name));
  return taken_tables(*state_, name);
}

JobResult::Statistics JobResult::take_statistics(const std::string& name) {
  if (const auto sort = state_->sorts.find(name);
      sort == state_->sorts.end() || sort->second != job::ValueSort::kStatistics)
    throw InputError(fmt::format("'{}' is not the result of a step statistics", name));
  const std::vector<SpectraTable> tables = taken_tables(*state_, name);
  Statistics statistics{tables.front(), {}};
  for (std::size_t spectrum = 1; spectrum < tables.size(); ++spectrum) {
    std::vector<double>& matrix = statistics.covariance.emplace_back();
    for (const auto& row : tables[spectrum].columns) matrix.insert(matrix.end(), row.begin(), row.end());
  }
  return statistics;
}

const std::vector<std::string>& JobResult::warnings() const { return state_->warnings; }

InputFacts JobResult::facts(const std::string& name) const {
  const auto found = state_->facts.find(name);
  if (found == state_->facts.end()) throw InputError(fmt::format("the result never had a value '{}'", name));
  return found->second;
}

std::string JobResult::report() const {
  nlohmann::json report = nlohmann::json::object();
  for (const job::FindingKind& kind : job::finding_kinds()) report[kind.name] = nlohmann::json::array();
  for (const job::Finding& finding : state_->executed.record.findings)
    report[finding.kind].push_back(job::finding_json(finding, state_->labels));
  report["zeroed"] = nlohmann::json::array();
  for (const job::ZeroedPixels& zeroed : state_->executed.record.zeroed)
    report["zeroed"].push_back(
        {{"input", zeroed.input}, {"nan", zeroed.pixels.nan}, {"bad_data", zeroed.pixels.bad_data}});
  return report.dump(2);
}

const std::vector<std::string>& JobResult::left_out() const { return state_->left_out; }

#define ARMILLA_JOB_RESULT(T)                                 \
  template Map<T> JobResult::take_map<T>(const std::string&); \
  template Alm<T> JobResult::take_alm<T>(const std::string&); \
  template PointValues<T> JobResult::take_values<T>(const std::string&)
ARMILLA_JOB_RESULT(float);
ARMILLA_JOB_RESULT(double);
#undef ARMILLA_JOB_RESULT

}  // namespace armilla
