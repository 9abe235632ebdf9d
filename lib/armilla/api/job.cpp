#include <armilla/api/access.hpp>
#include <armilla/api/job.hpp>
#include <armilla/api/memory_check.hpp>
#include <armilla/api/result_state.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/prepared_job.hpp>
#include <armilla/job/value/memory_source.hpp>

#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

namespace {

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

void set_input(api::JobState& state, const std::string& name, std::shared_ptr<const job::Source> source) {
  check_idle(state);
  if (name.empty()) throw InputError("the name of an input is empty: use the name that the job gives it");
  const bool replaces = state.sources.contains(name);
  state.sources[name] = std::move(source);
  if (!state.prepared) return;
  // A value in place of a file has other rules.
  if (!replaces) return state.prepared.reset();
  try {
    job::replace_sources(*state.prepared, {{name, state.sources[name]}});
  } catch (const InputError&) {
    state.prepared.reset();
  }
}

// `points`: of all ranks, of values at points.
template <class Field>
void set_field(api::JobState& state, const std::string& name, std::shared_ptr<Field> field, InputFacts facts,
               Index points = 0) {
  set_input(
      state, name,
      job::memory_source<Field>({name, std::move(facts.units), std::move(facts.coordsys)}, std::move(field), points));
}

// What must be the same on all ranks.
std::string text_of(const job::Described& described) {
  const std::uint64_t contents = described.table ? job::contents_hash(*described.table) : 0;
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
  job::CallerValues caller{.keep = state.keep};
  std::string names;
  for (const auto& [name, source] : state.sources) {
    const job::ValueSort sort = caller.given[name] = source->described().sort;
    names += fmt::format(", {} '{}' {}", job::sort_name(sort), name, text_of(source->described()));
  }
  names += fmt::format(", keep [{}], cache_bytes {}", fmt::join(state.keep, ","), state.options.cache_bytes);
  api::check_alike(*state.comm, "Job", state.options.file + state.yaml + names);
  job::JobSpec spec = job::parse_job_alike(*state.comm, state.yaml, state.options.file, {}, "", caller);
  if (state.options.word) spec.word = state.options.word;
  transform::TransformCache* cache = transform::cache_of(*state.comm);
  if (cache != nullptr) cache->set_limit({state.options.cache_bytes, state.options.cache_bytes});
  const std::optional<Index> limit =
      state.options.memory_limit ? state.options.memory_limit : api::environment_limit(*state.comm);
  const auto prepare = [&] { state.prepared = job::prepare(*state.comm, spec, state.sources, {limit}); };
  // The memory of transforms that earlier jobs have left counts as used.
  try {
    prepare();
    Index kept = cache != nullptr && state.prepared->lacked_device_memory ? cache->counts().kept : 0;
    state.comm->max({&kept, 1});
    if (kept == 0) return *state.prepared;
  } catch (const ResourceError&) {
    if (cache == nullptr) throw;
  }
  cache->clear();
  prepare();
  return *state.prepared;
}

}  // namespace

Job::Job(const Communicator& comm, const std::string& yaml, JobOptions options)
    : state_(std::make_unique<api::JobState>(
          api::JobState{std::make_shared<const Communicator>(comm), yaml, std::move(options)})) {}
Job::Job(Job&& other) noexcept = default;
Job& Job::operator=(Job&& other) noexcept = default;
Job::~Job() = default;

template <class T>
void Job::input(const std::string& name, const Map<T>& map, InputFacts facts) {
  check_ranks(*state_, name, map);
  set_field(*state_, name, Access::shared_field(map), std::move(facts));
}

template <class T>
void Job::input(const std::string& name, const Alm<T>& alm, InputFacts facts) {
  check_ranks(*state_, name, alm);
  set_field(*state_, name, Access::shared_field(alm), std::move(facts));
}

template <class T>
void Job::input(const std::string& name, const PointValues<T>& values, InputFacts facts) {
  if (values.ranks() != state_->comm->size())
    throw InputError(
        fmt::format("input '{}' is distributed over {} ranks, but the job runs on {}: create both on the "
                    "same communicator",
                    name, values.ranks(), state_->comm->size()));
  set_field(*state_, name, Access::shared_field(values), std::move(facts), values.points());
}

void Job::input(const std::string& name, const SpectraTable& spectra) { input(name, std::vector{spectra}); }

void Job::input(const std::string& name, const std::vector<SpectraTable>& spectra) {
  set_input(*state_, name, job::memory_source({.name = name}, job::ValueSort::kSpectra, spectra));
}

void Job::input_kernel(const std::string& name, std::vector<double> theta, std::vector<double> kernel) {
  if (theta.size() != kernel.size())
    throw InputError(fmt::format("input '{}' has {} angles, but {} values of the kernel: pass one of each per row",
                                 name, theta.size(), kernel.size()));
  SpectraTable table{.lmax = static_cast<Index>(theta.size()) - 1,
                     .names = {"theta", "kernel"},
                     .columns = {std::move(theta), std::move(kernel)},
                     .unit = ""};
  set_input(*state_, name, job::memory_source({.name = name}, job::ValueSort::kTable, {std::move(table)}));
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
    result->sorts[value.name] = value.sort;
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

#define ARMILLA_JOB(T)                                                        \
  template void Job::input<T>(const std::string&, const Map<T>&, InputFacts); \
  template void Job::input<T>(const std::string&, const Alm<T>&, InputFacts); \
  template void Job::input<T>(const std::string&, const PointValues<T>&, InputFacts)
ARMILLA_JOB(float);
ARMILLA_JOB(double);
#undef ARMILLA_JOB

}  // namespace armilla
