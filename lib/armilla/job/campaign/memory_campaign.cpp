#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/campaign/batch_reader.hpp>
#include <armilla/job/campaign/left_out_maps.hpp>
#include <armilla/job/campaign/memory_campaign.hpp>
#include <armilla/job/campaign/spectra_statistics.hpp>
#include <armilla/job/run/finite_check.hpp>
#include <armilla/job/run/plan_runner.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

namespace {

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
ValuesByName<T> run_batches(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache,
                            Progress& progress, RunRecord& record) {
  std::optional<PlanRunner<T>> running;
  comm::phase(comm, [&] { running.emplace(comm, plan, cache, progress, record); });
  PlanRunner<T>& runner = *running;
  runner.run(plan.schedule);
  ValuesByName<T> values;
  FileThread reading(FileThread::Mode::kAtOnce);
  BatchReader<T> reader(comm, plan, reading, record);
  KeptMaps<T> kept(plan, comm.rank(), values);
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
    runner.run_batch(reader.take(runner.values()));
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
        SpectraStatistics(comm, *store, plan.values[value], there)
            .tables([&, number = value](const ops::NonfiniteCount& found, Index all) {
              handle_nonfinite(plan, number, nonfinite_text(plan.values[number].name, found.nan, found.infinite, all),
                               comm.is_root(), record);
            }));
  }
  values.merge(runner.take_kept());
  return values;
}

}  // namespace

AnyValues run_campaign_in_memory(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache,
                                 Progress& progress, RunRecord& record) {
  return in_precision_of(plan,
                         [&]<class T>() { return AnyValues(run_batches<T>(comm, plan, cache, progress, record)); });
}

}  // namespace armilla::job
