#include <armilla/backend/context.hpp>
#include <armilla/comm/node_memory.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/job/campaign/batch_reader.hpp>
#include <armilla/job/campaign/left_out_maps.hpp>
#include <armilla/job/campaign/spectra_statistics.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/plan/backend_plan.hpp>
#include <armilla/job/plan/device_plan.hpp>
#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/plan_builder.hpp>
#include <armilla/job/prepared_job.hpp>
#include <armilla/job/run/left_out.hpp>
#include <armilla/job/run/plan_runner.hpp>

#include <algorithm>
#include <complex>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// Sets the number of threads of the job until the end of the scope.
class ThreadScope {
 public:
  explicit ThreadScope(int threads) : before_(core::thread_count()) {
    if (threads > 0) core::set_thread_count(threads);
  }
  ~ThreadScope() { core::set_thread_count(before_); }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

/// Not collective. Throws InputError for what only a run with files supports.
void check_in_memory(const JobPlan& plan) {
  const ExecutionSpec& execution = plan.spec.execution;
  if (!plan.campaign) return;
  if (execution.map_groups.value_or(1) > 1)
    refuse(execution.place, "map_groups", fmt::format("{}", *execution.map_groups),
           "is not possible for values in memory, which all ranks share: remove it");
  for (const OutputSpec& output : plan.spec.outputs)
    refuse(output.place, "file", output.file,
           "cannot be written by a job with many maps in memory: keep the value, and write it");
}

/// Chooses batches and the use of devices.
void lay_out(const comm::Communicator& comm, JobPlan& plan) {
  if (plan.campaign) {
    plan.campaign->groups = 1;
    const Index batch = choose_batch(comm, plan, comm.rank());
    comm::phase(comm, [&] { set_batch(plan, batch); });
  }
  choose_device_work(comm, plan, comm.rank());
}

/// A store on the root, for all ranks after finish().
class SpectraInMemory final : public SpectraStore {
 public:
  SpectraInMemory(const comm::Communicator& comm, Index maps, Index spectra, Index lmax)
      : SpectraStore(maps, spectra, lmax), comm_(comm), numbers_(core::at(maps * spectra * (lmax + 1))) {}

  void put(Index map, const alm::SpectraTable& table) override {
    for (Index s = 0; s < spectra(); ++s) std::ranges::copy(table.columns[core::at(s)], row(map, s));
  }
  void finish() override { comm_.broadcast(numbers_.data(), static_cast<Index>(numbers_.size() * sizeof(double))); }
  void get(Index map, Index spectrum, std::span<double> values) const override {
    std::copy_n(numbers_.begin() + (map * spectra() + spectrum) * (lmax() + 1), values.size(), values.begin());
  }

 private:
  std::vector<double>::iterator row(Index map, Index spectrum) {
    return numbers_.begin() + (map * spectra() + spectrum) * (lmax() + 1);
  }

  const comm::Communicator& comm_;
  std::vector<double> numbers_;
};

/// The values of all maps of a campaign that are kept for the caller.
template <class T>
class KeptMaps {
 public:
  KeptMaps(const JobPlan& plan, int rank, ValuesByName<T>& values) : plan_(plan), rank_(rank), all_(values) {}

  /// Not collective. Takes the value of a batch.
  void take(std::size_t number, Value<T>& value, const Batch& batch) {
    const ValueInfo& info = plan_.values[number];
    Value<T>& all = all_[info.name];
    const Index maps = plan_.campaign->maps();
    if (batch.maps == maps && batch.first == 0) {
      all = std::exchange(value, Value<T>());
    } else {
      if (all.is_empty()) make(info, value, maps, all);
      for (Index place = 0; place < batch.taken; ++place) copy(value, place, all, batch.first + place);
    }
  }
  /// Not collective. Sets the values of maps that were left out to NaN, as files with a batch axis have them.
  void clear(const std::vector<Index>& there) {
    for (const std::size_t number : plan_.kept) {
      const ValueInfo& info = plan_.values[number];
      const auto found = all_.find(info.name);
      if (!info.per_item || found == all_.end()) continue;
      for (std::size_t item = 0; item < there.size(); ++item)
        if (there[item] == 0) clear_map(info, found->second, static_cast<Index>(item));
    }
  }

 private:
  void make(const ValueInfo& info, const Value<T>& like, Index maps, Value<T>& all) const {
    if (info.sort == ValueSort::kMap)
      all.template emplace<transform::MapField<T>>(info.kind, info.pixels, rank_, maps);
    else if (info.sort == ValueSort::kAlm)
      all.template emplace<transform::AlmField<T>>(info.kind, info.alm, rank_, maps);
    else if (const auto* values = like.template find<points::PointField<T>>())
      all.template emplace<points::PointField<T>>(info.kind, values->points(), maps);
    else
      all.template emplace<Tables>(core::at(maps));
  }

  static void clear_map(const ValueInfo& info, Value<T>& all, Index item) {
    all.visit_own([&](auto& held) {
      if constexpr (std::is_same_v<std::remove_reference_t<decltype(held)>, Tables>) {
        const std::vector<double> column(core::at(info.spectra_lmax + 1), std::numeric_limits<double>::quiet_NaN());
        held[core::at(item)] = {info.spectra_lmax, info.spectra, std::vector(info.spectra.size(), column),
                                info.units.empty() ? "" : info.units.front()};
      } else {
        for (Index c = 0; c < held.kind().components(); ++c)
          std::ranges::fill(held.component(item, c), std::numeric_limits<T>::quiet_NaN());
      }
    });
  }

  static void copy(const Value<T>& value, Index place, Value<T>& all, Index item) {
    all.visit_own([&](auto& to) {
      using Held = std::remove_reference_t<decltype(to)>;
      const Held& from = value.template get<Held>();
      if constexpr (std::is_same_v<Held, Tables>)
        to[core::at(item)] = from[core::at(place)];
      else
        for (Index c = 0; c < to.kind().components(); ++c)
          std::ranges::copy(from.component(place, c), to.component(item, c).begin());
    });
  }

  const JobPlan& plan_;
  int rank_;
  ValuesByName<T>& all_;
};

/// Collective. Runs the batches one after the other.
template <class T>
void run_batches(const comm::Communicator& comm, const JobPlan& plan, PlanRunner<T>& runner, Progress& progress,
                 RunRecord& record, ValuesByName<T>& values) {
  FileThread reading(FileThread::Mode::kAtOnce);
  BatchReader<T> reader(comm, plan, reading, record);
  KeptMaps<T> kept(plan, comm.rank(), values);
  runner.read_batch = [](std::size_t) {};  // already read at the start of the batch
  runner.keep_batch = [&](std::size_t value) {
    comm::phase(comm, [&] { kept.take(value, runner.values()[value], runner.batch()); });
    runner.values()[value].clear();
  };
  std::map<std::size_t, std::unique_ptr<SpectraInMemory>> stores;
  comm::phase(comm, [&] {
    for (const std::size_t value : plan.kept) {
      const ValueInfo& info = plan.values[value];
      if (info.sort != ValueSort::kStatistics) continue;
      stores[value] = std::make_unique<SpectraInMemory>(comm, plan.campaign->maps(),
                                                        static_cast<Index>(info.spectra.size()), info.spectra_lmax);
      runner.stores[value] = stores[value].get();
    }
  });
  std::vector<Index> there(core::at(plan.campaign->maps()), 0);
  LeftOutMaps left_out(plan);
  progress.campaign(plan.campaign->taken());
  Index done = 0;
  for (const CampaignPlan::Run& run : plan.campaign->runs) {
    reader.begin(run, plan.campaign->batch);
    runner.batch() = reader.take(runner.values());
    try {
      if (runner.batch().any()) {
        runner.check_batch_inputs();
        runner.run(plan.campaign->schedule);
      }
    } catch (const NoMapLeft&) {
      runner.drop_maps();
    }
    for (Index place = 0; place < run.maps; ++place) {
      there[core::at(run.first + place)] = runner.batch().is_there(place) ? 1 : 0;
      if (!runner.batch().is_there(place)) left_out.add(LeftOutMaps::letter(run.first + place));
    }
    if (const auto error = left_out.error()) core::throw_error(*error);
    progress.maps_done(done += run.maps);
  }
  if (std::ranges::find(there, Index{1}) == there.end())
    throw core::InputError(fmt::format("{}: all {} maps were left out", plan.spec.file, there.size()));
  comm::phase(comm, [&] { kept.clear(there); });
  for (const auto& [value, store] : stores) {
    store->finish();
    values[plan.values[value].name].template emplace<Tables>(
        SpectraStatistics(comm, *store, plan.values[value], there).tables());
  }
}

template <class T>
ValuesByName<T> run_in_memory(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache,
                              Progress& progress, RunRecord& record) {
  std::optional<PlanRunner<T>> runner;
  comm::phase(comm, [&] { runner.emplace(comm, plan, cache, progress, record); });
  runner->run(plan.schedule);
  ValuesByName<T> values;
  if (plan.campaign) run_batches(comm, plan, *runner, progress, record, values);
  for (const std::size_t value : plan.kept)
    if (!plan.values[value].per_item && plan.values[value].sort != ValueSort::kStatistics)
      values[plan.values[value].name] = std::move(runner->values()[value]);
  return values;
}

/// What differs between two descriptions of an input; empty if nothing does.
std::string difference(const Described& now, const Described& before) {
  if (now.sort != before.sort) return "another type of value";
  if ((now.grid == nullptr) != (before.grid == nullptr) || (now.grid && !now.grid->same_pixels(*before.grid)))
    return "another grid";
  if (now.lmax != before.lmax || now.mmax != before.mmax) return "another lmax or mmax";
  if (now.points != before.points) return "another number of points";
  if (now.components != before.components || now.metadata.fields != before.metadata.fields ||
      now.metadata.spins != before.metadata.spins)
    return "other fields";
  if (now.metadata.units != before.metadata.units || now.metadata.coordsys != before.metadata.coordsys)
    return "other units or coordinates";
  // A plan may depend on the contents of tables, such as the method of a convolution.
  if (now.table && (now.table->names != before.table->names || now.table->columns != before.table->columns ||
                    now.table->unit != before.table->unit))
    return "other contents";
  if (now.dimensions.size() != before.dimensions.size() ||
      (!now.dimensions.empty() && now.dimensions.front().labels.size() != before.dimensions.front().labels.size()))
    return "another number of maps";
  return "";
}

}  // namespace

PreparedJob prepare(const comm::Communicator& comm, JobSpec spec, const Sources& sources,
                    const PrepareOptions& options) {
  const ThreadScope threads(spec.execution.threads);
  spec.execution.memory_limit = comm::limit_of_root(comm, options.memory_limit);
  if (!spec.keep) spec.keep.emplace();
  PreparedJob job;
  job.plan = plan_job(comm, std::move(spec), options.device_check, sources);
  JobPlan& plan = job.plan;
  comm::phase(comm, [&] {
    backend::check_backend(plan.spec.execution.backend);
    check_in_memory(plan);
    check_output_names(plan, "");
  });
  try_backend(comm, plan, options.device_check);
  try {
    lay_out(comm, plan);
  } catch (const core::ResourceError& error) {
    if (!plan.backend.automatic || !backend::has_device(plan.backend.kind)) throw;
    fall_back_to_cpu(plan, error.what());
    lay_out(comm, plan);
  }
  comm::phase(comm, [&] { job.forecast = forecast_memory(plan, comm.rank(), core::resident_bytes() + kLibraryBytes); });
  const comm::NodeMemory memory = comm::tightest_memory(comm, job.forecast.peak(), plan.spec.execution.memory_limit);
  comm::check_memory(comm, memory, plan.spec.file);
  return job;
}

void replace_sources(PreparedJob& job, const Sources& sources) {
  JobPlan& plan = job.plan;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    const InputSpec& input = plan.spec.inputs[i];
    const auto given = sources.find(input.name);
    if (given == sources.end()) continue;
    std::string other = difference(given->second->described(), plan.inputs[i].source->described());
    const bool can_lend = in_precision_of(plan, [&]<class T>() { return !given->second->borrow(T()).is_empty(); });
    if (other.empty() && plan.values[plan.inputs[i].value].is_borrowed && !can_lend) other = "another precision";
    if (!other.empty())
      throw core::InputError(
          fmt::format("input '{}' has {} than when the job was prepared: prepare it again", input.name, other));
    plan.inputs[i].source = given->second;
  }
}

ExecutedJob execute(const comm::Communicator& comm, const PreparedJob& job, transform::TransformCache& cache,
                    const Progress::Call& call) {
  const JobPlan& plan = job.plan;
  const ThreadScope threads(plan.spec.execution.threads);
  ExecutedJob executed;
  executed.record.logs = false;
  std::optional<Progress> progress;
  std::optional<core::CaughtError> thrown;  // by the callback, which other ranks do not call
  if (call && comm.is_root())
    progress.emplace(
        [&](double fraction, const std::string& what) {
          if (thrown) return;
          try {
            call(fraction, what);
          } catch (...) {
            thrown = core::describe_current_exception();
          }
        },
        plan.spec.steps.size());
  else
    progress.emplace(Progress::Display::kNone, plan.spec.steps.size());
  if (plan.spec.execution.precision == core::Precision::kSingle)
    executed.values = run_in_memory<float>(comm, plan, cache, *progress, executed.record);
  else
    executed.values = run_in_memory<double>(comm, plan, cache, *progress, executed.record);
  comm::agree(comm, thrown);
  return executed;
}

}  // namespace armilla::job
