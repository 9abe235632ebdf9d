#include <armilla/comm/phase.hpp>
#include <armilla/job/batch_reader.hpp>
#include <armilla/job/read_input.hpp>
#include <armilla/ops/monopole.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace armilla::job {

namespace {

/// Agrees on what failed on any rank for one map: nothing, or the error of the lowest rank that has one.
std::optional<core::CaughtError> agreed(const comm::Communicator& comm, const std::optional<core::CaughtError>& mine) {
  try {
    comm::agree(comm, mine);
  } catch (...) {
    return core::describe_current_exception();
  }
  return std::nullopt;
}

}  // namespace

template <class T>
BatchReader<T>::~BatchReader() {
  for (const auto& reading : ahead_)
    if (reading->done.valid()) reading->done.wait();
}

template <class T>
void BatchReader<T>::begin(Index number) {
  auto reading = std::make_unique<Reading>();
  reading->number = number;
  reading->fields.resize(plan_.inputs.size());
  reading->found.resize(plan_.inputs.size());
  const Index maps = plan_.campaign->batch;
  comm::phase(comm_, [&] {
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      const ValueInfo& info = plan_.values[plan_.inputs[i].value];
      if (!info.per_item) continue;
      reading->found[i].resize(static_cast<std::size_t>(plan_.campaign->maps_of(number)));
      if (info.sort == ValueSort::kMap)
        reading->fields[i].template emplace<transform::MapField<T>>(info.kind, info.pixels, comm_.rank(), maps);
      else
        reading->fields[i].template emplace<transform::AlmField<T>>(info.kind, info.alm, comm_.rank(), maps);
    }
  });
  Reading& target = *ahead_.emplace_back(std::move(reading));
  target.done = files_.submit("read ahead", [this, &target] {
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
      if (plan_.values[plan_.inputs[i].value].per_item) read_places(target, i);
  });
}

template <class T>
void BatchReader<T>::read_places(Reading& reading, std::size_t input) const {
  const InputSpec& spec = plan_.spec.inputs[input];
  const PlannedInput& planned = plan_.inputs[input];
  const Index first = reading.number * plan_.campaign->batch;
  auto& found = reading.found[input];
  for (std::size_t place = 0; place < found.size(); ++place) {
    const Index item = first + static_cast<Index>(place);
    try {
      if (auto* map = std::get_if<transform::MapField<T>>(&reading.fields[input]))
        found[place].bad =
            read_into(open_item<io::MapInfo>(spec, planned, item), planned, *map, static_cast<Index>(place));
      else
        read_into(open_item<io::AlmInfo>(spec, planned, item), planned,
                  std::get<transform::AlmField<T>>(reading.fields[input]), static_cast<Index>(place));
    } catch (...) {
      found[place].error = core::describe_current_exception();
    }
  }
}

template <class T>
void BatchReader<T>::leave_out(std::size_t input, Index item, const std::string& reason, core::ErrorKind kind) {
  const InputSpec& spec = plan_.spec.inputs[input];
  const std::string& label = plan_.campaign->labels[static_cast<std::size_t>(item)];
  if (kind != core::ErrorKind::kInput) core::throw_error(kind, reason);
  if (plan_.spec.execution.on_bad_map == BadMapPolicy::kStop)
    throw core::InputError(fmt::format(
        "{}: {}: map {} of {} cannot be used: {}. Mend it, or leave such maps out by execution: {{on_bad_map: skip}}",
        spec.place.where, spec.place.path, label, plan_.campaign->maps(), reason));
  record_.skipped.push_back({spec.name, item_file(spec, item), label, reason});
  spdlog::warn("map {} is left out: {}", label, reason);
}

template <class T>
void BatchReader<T>::check_places(Reading& reading, std::size_t input, Batch& batch) {
  auto& found = reading.found[input];
  const InputSpec& spec = plan_.spec.inputs[input];
  // Which maps are to be talked about, and how many pixels are bad on all ranks.
  std::vector<Index> failed;
  for (const Found& one : found) failed.push_back(one.error ? 1 : 0);
  comm_.max(std::span<Index>(failed));
  std::vector<Index> bad;
  for (const Found& one : found) bad.insert(bad.end(), {one.bad.nan, one.bad.bad_data});
  comm_.sum(std::span<Index>(bad));
  for (std::size_t place = 0; place < found.size(); ++place) {
    const Index item = batch.first + static_cast<Index>(place);
    found[place].bad = {bad[2 * place], bad[2 * place + 1]};
    std::optional<core::CaughtError> error;
    if (failed[place] > 0)
      error = agreed(comm_, found[place].error);
    else if (found[place].bad.total() > 0 && spec.bad_data == io::BadDataPolicy::kError)
      error = core::CaughtError{
          core::ErrorKind::kInput,
          bad_pixels_text(spec, item_file(spec, item), plan_.values[plan_.inputs[input].value], found[place].bad)};
    if (!error || !batch.there[place]) continue;
    leave_out(input, item, error->message, error->kind);
    batch.there[place] = false;
  }
}

template <class T>
void BatchReader<T>::finish_maps(Reading& reading, std::size_t input, const Batch& batch,
                                 std::vector<Value<T>>& values) {
  const InputSpec& spec = plan_.spec.inputs[input];
  const auto good = static_cast<Index>(std::ranges::find(batch.there, true) - batch.there.begin());
  const auto fill = [&](auto& field) {
    for (Index place = 0; place < field.maps(); ++place)
      for (Index c = 0; c < field.kind().components(); ++c)
        if (!batch.is_there(place)) std::ranges::copy(field.component(good, c), field.component(place, c).begin());
  };
  auto* map = std::get_if<transform::MapField<T>>(&reading.fields[input]);
  if (map == nullptr) return fill(std::get<transform::AlmField<T>>(reading.fields[input]));
  fill(*map);
  if (spec.monopole == Monopole::kRemove) ops::remove_monopole(comm_, *map);
  if (const auto good_pixels = plan_.inputs[input].good_pixels)
    comm::phase(comm_, [&] { values[*good_pixels] = good_pixels_of(*map); });
  io::BadPixels all;
  for (std::size_t place = 0; place < reading.found[input].size(); ++place) {
    if (!batch.there[place]) continue;
    all.nan += reading.found[input][place].bad.nan;
    all.bad_data += reading.found[input][place].bad.bad_data;
  }
  if (all.total() == 0) return;
  zero_bad_pixels(*map);
  record_.add_zeroed({spec.name, spec.file, all});
}

template <class T>
Batch BatchReader<T>::take(std::vector<Value<T>>& values) {
  const std::unique_ptr<Reading> reading = std::move(ahead_.front());
  ahead_.pop_front();
  comm::phase(comm_, [&] {
    const core::ScopedPhase timer(record_.timers, "wait for files");
    reading->done.get();
  });
  const CampaignPlan& campaign = *plan_.campaign;
  Batch batch{.first = reading->number * campaign.batch, .maps = campaign.batch, .there = {}};
  for (Index place = 0; place < batch.maps; ++place) batch.there.push_back(place < campaign.maps_of(reading->number));
  for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
    if (plan_.values[plan_.inputs[i].value].per_item) check_places(*reading, i, batch);
  record_.maps += campaign.maps_of(reading->number);
  if (std::ranges::find(batch.there, true) == batch.there.end()) return batch;
  for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
    if (!plan_.values[plan_.inputs[i].value].per_item) continue;
    finish_maps(*reading, i, batch, values);
    values[plan_.inputs[i].value] = std::move(reading->fields[i]);
  }
  return batch;
}

template class BatchReader<float>;
template class BatchReader<double>;

}  // namespace armilla::job
