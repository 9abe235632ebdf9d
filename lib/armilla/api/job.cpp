#include <armilla/api/access.hpp>
#include <armilla/api/job.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/prepared_job.hpp>
#include <armilla/job/value/memory_source.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace armilla {

using api::Access;

struct api::JobState {
  std::shared_ptr<const Communicator> comm;
  std::string yaml;
  JobOptions options;
  std::vector<std::string> keep = {};
  job::Sources sources = {};
  std::optional<job::PreparedJob> prepared = {};
  bool runs = false;  // during run(), whose callback may call the job
};

struct api::ResultState {
  std::shared_ptr<const Communicator> comm;
  job::ExecutedJob executed;
  std::map<std::string, Index> points = {};  // of all ranks, by name of the value
  std::map<std::string, InputFacts> facts = {};
  std::set<std::string> statistics = {};
  std::vector<std::string> labels = {};  // of the maps of a campaign
  std::vector<std::string> warnings = {}, left_out = {};
};

namespace api {
// The tables of a value, moved out.
std::vector<SpectraTable> tables(ResultState& state, const std::string& name);
}  // namespace api

namespace {

const char* const kName = "job";

// Throws InputError in a callback of run().
void check_idle(const api::JobState& state) {
  if (state.runs) throw InputError("a job cannot be changed or run while it runs: call this after run()");
}

// Throws InputError for a field on other ranks than those of the job.
template <class Field>
void check_ranks(const api::JobState& state, const std::string& name, const Field& field) {
  if (field.distribution().ranks() != state.comm->size() || field.rank() != state.comm->rank())
    throw InputError(
        fmt::format("input '{}' is rank {} of {}, but the job runs on rank {} of {}: create both on the same "
                    "communicator",
                    name, field.rank(), field.distribution().ranks(), state.comm->rank(), state.comm->size()));
}

void check_facts(const std::string& name, const InputFacts& facts) {
  if (name.empty()) throw InputError("the name of an input is empty: use the name that the job gives it");
  if (!facts.coordsys.empty() && facts.coordsys != "G" && facts.coordsys != "E" && facts.coordsys != "C")
    throw InputError(
        fmt::format("coordsys = '{}' of input '{}' is not 'G', 'E' or 'C': use one of these, or leave it "
                    "empty",
                    facts.coordsys, name));
}

void set_input(api::JobState& state, const std::string& name, std::shared_ptr<const job::Source> source) {
  check_idle(state);
  state.sources[name] = std::move(source);
  if (!state.prepared) return;
  try {
    job::replace_sources(*state.prepared, {{name, state.sources[name]}});
  } catch (const InputError&) {
    state.prepared.reset();
  }
}

// What must be the same on all ranks.
std::string text_of(const job::Described& described) {
  std::uint64_t contents = core::fnv1a(nullptr, 0);
  if (described.table)
    for (const auto& column : described.table->columns)
      contents = core::fnv1a(column.data(), column.size() * sizeof(double), contents);
  const io::FieldMetadata& metadata = described.metadata;
  return fmt::format("({}, lmax {}, mmax {}, {} points, {} maps, fields [{}] in [{}], coordsys '{}', contents {:x})",
                     described.grid ? described.grid->description().text() : "no grid", described.lmax, described.mmax,
                     described.points, described.dimensions.empty() ? 1 : described.dimensions.front().labels.size(),
                     fmt::join(metadata.fields, ","), fmt::join(metadata.units, ","), metadata.coordsys, contents);
}

// Collective.
job::PreparedJob& prepared(api::JobState& state) {
  // Ranks may have replaced different inputs.
  Index is_lacking = state.prepared ? 0 : 1;
  state.comm->max({&is_lacking, 1});
  if (is_lacking == 0) return *state.prepared;
  state.prepared.reset();
  std::map<std::string, job::ValueSort> given;
  std::string names;
  for (const auto& [name, source] : state.sources) {
    given[name] = source->described().sort;
    names += fmt::format(", {} '{}' {}", job::sort_name(given[name]), name, text_of(source->described()));
  }
  names += fmt::format(", keep [{}], cache_bytes {}", fmt::join(state.keep, ","), state.options.cache_bytes);
  api::check_alike(*state.comm, "Job", state.yaml + names);
  job::JobSpec spec = job::parse_job_alike(*state.comm, state.yaml, kName, {}, "", given);
  spec.keep = state.keep;
  transform::TransformCache* cache = transform::cache_of(*state.comm);
  if (cache != nullptr) cache->set_limit({state.options.cache_bytes, state.options.cache_bytes});
  const auto prepare = [&] {
    state.prepared = job::prepare(*state.comm, spec, state.sources, {state.options.memory_limit, {}});
  };
  try {
    prepare();
  } catch (const ResourceError&) {
    // The memory of transforms that earlier jobs have left counts as used.
    if (cache == nullptr) throw;
    cache->clear();
    prepare();
  }
  return *state.prepared;
}

template <class Field>
Field copy_of(const Field& field) {
  if constexpr (requires { field.distribution(); }) {
    Field copy(field.kind(), field.shared_distribution(), field.rank(), field.maps());
    std::ranges::copy(field.data(), copy.data().begin());
    return copy;
  } else {
    return field;
  }
}

// The content of a value, moved out.
template <class T, class Held>
Held taken(api::ResultState& state, const std::string& name, const char* type) {
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
  // A value of the caller that the job only passes on is copied.
  if (found->second.is_borrowed()) {
    Held copy = copy_of(*found->second.template find<Held>());
    values->erase(found);
    return copy;
  }
  Held held = std::move(*found->second.template find_own<Held>());
  values->erase(found);
  return held;
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

template <class T>
Map<T> JobResult::take_map(const std::string& name) {
  return Access::make<Map<T>>(
      state_->comm, std::make_shared<transform::MapField<T>>(taken<T, transform::MapField<T>>(*state_, name, "a map")));
}

template <class T>
Alm<T> JobResult::take_alm(const std::string& name) {
  return Access::make<Alm<T>>(state_->comm, std::make_shared<transform::AlmField<T>>(
                                                taken<T, transform::AlmField<T>>(*state_, name, "an alm")));
}

template <class T>
PointValues<T> JobResult::take_values(const std::string& name) {
  auto field = std::make_shared<points::PointField<T>>(taken<T, points::PointField<T>>(*state_, name, "values"));
  return Access::make<PointValues<T>>(std::move(field), state_->points.at(name), state_->comm->size());
}

std::vector<SpectraTable> JobResult::take_spectra(const std::string& name) {
  if (state_->statistics.contains(name))
    throw InputError(fmt::format("'{}' is not spectra: use take_statistics()", name));
  return api::tables(*state_, name);
}

std::vector<SpectraTable> api::tables(ResultState& state, const std::string& name) {
  if (std::holds_alternative<job::ValuesByName<float>>(state.executed.values))
    return taken<float, job::Tables>(state, name, "spectra");
  return taken<double, job::Tables>(state, name, "spectra");
}

JobResult::Statistics JobResult::take_statistics(const std::string& name) {
  if (!state_->statistics.contains(name))
    throw InputError(fmt::format("'{}' is not the result of a step statistics", name));
  const std::vector<SpectraTable> tables = api::tables(*state_, name);
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

Job::Job(const Communicator& comm, const std::string& yaml, JobOptions options)
    : state_(std::make_unique<api::JobState>(
          api::JobState{std::make_shared<const Communicator>(comm), yaml, std::move(options)})) {}
Job::Job(Job&& other) noexcept = default;
Job& Job::operator=(Job&& other) noexcept = default;
Job::~Job() = default;

template <class T>
void Job::input(const std::string& name, const Map<T>& map, InputFacts facts) {
  check_facts(name, facts);
  check_ranks(*state_, name, map);
  set_input(*state_, name,
            job::memory_source<transform::MapField<T>>({name, std::move(facts.units), std::move(facts.coordsys)},
                                                       Access::shared_field(map)));
}

template <class T>
void Job::input(const std::string& name, const Alm<T>& alm, InputFacts facts) {
  check_facts(name, facts);
  check_ranks(*state_, name, alm);
  set_input(*state_, name,
            job::memory_source<transform::AlmField<T>>({name, std::move(facts.units), std::move(facts.coordsys)},
                                                       Access::shared_field(alm)));
}

template <class T>
void Job::input(const std::string& name, const PointValues<T>& values, InputFacts facts) {
  check_facts(name, facts);
  if (values.ranks() != state_->comm->size())
    throw InputError(
        fmt::format("input '{}' is distributed over {} ranks, but the job runs on {}: create both on the "
                    "same communicator",
                    name, values.ranks(), state_->comm->size()));
  set_input(*state_, name,
            job::memory_source<points::PointField<T>>({name, std::move(facts.units), std::move(facts.coordsys)},
                                                      Access::shared_field(values), values.points()));
}

void Job::input(const std::string& name, const SpectraTable& spectra) {
  check_facts(name, {});
  set_input(
      *state_, name,
      job::memory_source({.name = name}, job::ValueSort::kSpectra, std::make_shared<const SpectraTable>(spectra)));
}

void Job::input_kernel(const std::string& name, std::vector<double> theta, std::vector<double> kernel) {
  check_facts(name, {});
  if (theta.size() != kernel.size())
    throw InputError(fmt::format("input '{}' has {} angles, but {} values of the kernel: pass one of each per row",
                                 name, theta.size(), kernel.size()));
  SpectraTable table{.lmax = static_cast<Index>(theta.size()) - 1,
                     .names = {"theta", "kernel"},
                     .columns = {std::move(theta), std::move(kernel)},
                     .unit = ""};
  set_input(*state_, name,
            job::memory_source({.name = name}, job::ValueSort::kTable,
                               std::make_shared<const SpectraTable>(std::move(table))));
}

void Job::keep(const std::string& name) {
  check_idle(*state_);
  state_->keep.push_back(name);
  state_->prepared.reset();
}

JobForecast Job::plan() {
  check_idle(*state_);
  const job::PreparedJob& job = prepared(*state_);
  return {.memory = job.forecast.peak(),
          .backend = name_of(job.plan.spec.execution.backend),
          .batch = job.plan.campaign ? job.plan.campaign->batch : 1,
          .warnings = job.plan.warnings};
}

JobResult Job::run() {
  check_idle(*state_);
  const job::PreparedJob& job = prepared(*state_);
  // Groups of ranks that Armilla has split keep no transforms.
  std::optional<transform::TransformCache> own;
  transform::TransformCache* cache = transform::cache_of(*state_->comm);
  if (cache == nullptr) cache = &own.emplace(*state_->comm);
  auto result = std::make_unique<api::ResultState>(api::ResultState{state_->comm, {}, {}});
  state_->runs = true;
  try {
    result->executed = job::execute(*state_->comm, job, *cache, state_->options.progress);
  } catch (...) {
    state_->runs = false;
    state_->prepared.reset();  // a file may have changed
    throw;
  }
  state_->runs = false;
  for (const std::size_t kept : job.plan.kept) {
    const job::ValueInfo& value = job.plan.values[kept];
    if (value.catalogue) result->points[value.name] = value.catalogue->points;
    if (value.sort == job::ValueSort::kStatistics) result->statistics.insert(value.name);
    result->facts[value.name] = {value.units, value.coordsys};
  }
  if (job.plan.campaign) result->labels = job.plan.campaign->labels;
  result->warnings = job.plan.warnings;
  const std::vector<std::string>& more = result->executed.record.warnings;
  result->warnings.insert(result->warnings.end(), more.begin(), more.end());
  for (const job::SkippedMap& map : result->executed.record.skipped)
    result->left_out.push_back(fmt::format("map {}: {}", map.label, map.text()));
  return JobResult(std::move(result));
}

#define ARMILLA_JOB(T)                                                                \
  template void Job::input<T>(const std::string&, const Map<T>&, InputFacts);         \
  template void Job::input<T>(const std::string&, const Alm<T>&, InputFacts);         \
  template void Job::input<T>(const std::string&, const PointValues<T>&, InputFacts); \
  template Map<T> JobResult::take_map<T>(const std::string&);                         \
  template Alm<T> JobResult::take_alm<T>(const std::string&);                         \
  template PointValues<T> JobResult::take_values<T>(const std::string&)
ARMILLA_JOB(float);
ARMILLA_JOB(double);
#undef ARMILLA_JOB

}  // namespace armilla
