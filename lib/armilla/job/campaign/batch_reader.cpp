#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/same_file.hpp>
#include <armilla/job/campaign/batch_reader.hpp>
#include <armilla/job/run/left_out.hpp>
#include <armilla/job/run/read_input.hpp>
#include <armilla/ops/monopole.hpp>

#include <utility>

namespace armilla::job {

namespace {

/// Agrees on the error for one map over all ranks: std::nullopt, or the error of the lowest failing rank.
std::optional<core::CaughtError> agreed(const comm::Communicator& comm, const std::optional<core::CaughtError>& mine) {
  try {
    comm::agree(comm, mine);
  } catch (...) {
    return core::describe_current_exception();
  }
  return std::nullopt;
}

}  // namespace

/// Collective. Reads a map of values on all ranks, and uses it as the reference if no rank fails. Each group of ranks
/// starts with the first map, so that all groups find the same reference.
template <class T>
std::optional<core::CaughtError> BatchReader<T>::try_reference(std::size_t input, Index item) {
  const InputSpec& spec = plan_.spec.inputs[input];
  PlannedInput reference = plan_.inputs[input];
  std::shared_ptr<const points::LocalPoints> places;
  std::optional<core::CaughtError> mine;
  try {
    files_
        .submit("read ahead",
                [&] {
                  const auto info = open_item<io::PointsInfo>(spec, reference, item);
                  reference.info = info;
                  places = read_places(info, comm_.size(), comm_.rank());
                  points::PointField<T> values(plan_.values[reference.value].kind, places, 1);
                  read_into(info, reference, values, 0);
                })
        .get();
  } catch (...) {
    mine = core::describe_current_exception();
  }
  std::optional<core::CaughtError> error = agreed(comm_, mine);
  if (error) return error;
  references_[input] = std::move(reference);
  places_[input] = std::move(places);
  return std::nullopt;
}

/// Collective. If bad maps are left out, the points of values are those of the first readable map.
template <class T>
void BatchReader<T>::find_reference(std::size_t input) {
  for (Index item = 0; item < plan_.campaign->maps(); ++item) {
    const std::optional<core::CaughtError> error = try_reference(input, item);
    if (!error) return;
    if (error->kind != core::ErrorKind::kInput) core::throw_error(error->kind, error->message);
  }
}

template <class T>
void BatchReader<T>::begin(CampaignPlan::Run run, Index size) {
  if (!begun_ && plan_.spec.execution.on_bad_map == BadMapPolicy::kSkip)
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      const ValueInfo& info = plan_.values[plan_.inputs[i].value];
      if (info.per_item && info.sort == ValueSort::kValues) find_reference(i);
    }
  begun_ = true;
  auto reading = std::make_unique<Reading>();
  reading->run = run;
  reading->size = size;
  reading->fields.resize(plan_.inputs.size());
  reading->found.resize(plan_.inputs.size());
  comm::phase(comm_, [&] {
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      const ValueInfo& info = plan_.values[plan_.inputs[i].value];
      if (!info.per_item) continue;
      reading->found[i].resize(static_cast<std::size_t>(run.maps));
      if (info.sort == ValueSort::kMap)
        reading->fields[i].template emplace<transform::MapField<T>>(info.kind, info.pixels, comm_.rank(), size);
      else if (info.sort == ValueSort::kAlm)
        reading->fields[i].template emplace<transform::AlmField<T>>(info.kind, info.alm, comm_.rank(), size);
    }
  });
  Reading& target = *ahead_.emplace_back(std::move(reading));
  target.done = files_.submit("read ahead", [this, &target] {
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
      if (plan_.values[plan_.inputs[i].value].per_item) read_maps(target, i);
  });
}

template <class T>
void BatchReader<T>::make_values(Reading& reading, std::size_t input) {
  const PlannedInput& planned = references_[input];
  if (!places_[input]) places_[input] = read_places(std::get<io::PointsInfo>(planned.info), comm_.size(), comm_.rank());
  reading.fields[input].template emplace<points::PointField<T>>(plan_.values[planned.value].kind, places_[input],
                                                                reading.size);
}

template <class T>
void BatchReader<T>::read_maps(Reading& reading, std::size_t input) {
  const InputSpec& spec = plan_.spec.inputs[input];
  const PlannedInput& planned = references_[input];
  const Index first = reading.run.first;
  auto& found = reading.found[input];
  for (std::size_t place = 0; place < found.size(); ++place) {
    const Index item = first + static_cast<Index>(place);
    try {
      const auto at = static_cast<Index>(place);
      const auto read = [&]<class Info>(const Info& info, auto& field) {
        found[place].seen = info.seen;
        return read_into(info, planned, field, at);
      };
      if (auto* map = std::get_if<transform::MapField<T>>(&reading.fields[input])) {
        found[place].bad = read(open_item<io::MapInfo>(spec, planned, item), *map);
        found[place].good = count_good_pixels(*map, at);
      } else if (spec.sort == ValueSort::kValues) {
        if (std::holds_alternative<std::monostate>(reading.fields[input])) make_values(reading, input);
        read(open_item<io::PointsInfo>(spec, planned, item), std::get<points::PointField<T>>(reading.fields[input]));
      } else {
        read(open_item<io::AlmInfo>(spec, planned, item), std::get<transform::AlmField<T>>(reading.fields[input]));
      }
    } catch (...) {
      found[place].error = core::describe_current_exception();
    }
  }
}

template <class T>
void BatchReader<T>::check_places(Reading& reading, std::size_t input, Batch& batch) {
  auto& found = reading.found[input];
  const InputSpec& spec = plan_.spec.inputs[input];
  const ValueInfo& info = plan_.values[plan_.inputs[input].value];
  // The maps to report, and the counts of bad and good pixels over all ranks.
  std::vector<Index> failed;
  for (const Found& one : found) failed.push_back(one.error ? 1 : 0);
  comm_.max(std::span<Index>(failed));
  std::vector<Index> counts;
  for (const Found& one : found) counts.insert(counts.end(), {one.bad.nan, one.bad.bad_data, one.good});
  comm_.sum(std::span<Index>(counts));
  std::vector<core::FileState> seen;
  for (const Found& one : found) seen.push_back(one.seen);
  const std::vector<bool> same = io::same_on_all_ranks(comm_, seen);
  for (std::size_t place = 0; place < found.size(); ++place) {
    const Index item = batch.first + static_cast<Index>(place);
    found[place].bad = {counts[3 * place], counts[3 * place + 1]};
    std::optional<core::CaughtError> error;
    if (failed[place] > 0)
      error = agreed(comm_, found[place].error);
    else if (!same[place])
      error = core::CaughtError{core::ErrorKind::kInput, io::different_file_text(item_file(spec, item))};
    else if (const auto text =
                 bad_pixels_text(spec, item_file(spec, item), info, found[place].bad, counts[3 * place + 2]))
      error = core::CaughtError{core::ErrorKind::kInput, *text};
    if (!error || !batch.there[place]) continue;
    if (error->kind != core::ErrorKind::kInput) core::throw_error(error->kind, error->message);
    leave_out(plan_, spec.place, item, {.input = spec.name, .file = item_file(spec, item), .reason = error->message},
              record_);
    batch.there[place] = false;
  }
}

template <class T>
void BatchReader<T>::finish_maps(Reading& reading, std::size_t input, const Batch& batch,
                                 std::vector<Value<T>>& values) {
  const InputSpec& spec = plan_.spec.inputs[input];
  fill_absent(reading.fields[input], batch);
  auto* map = std::get_if<transform::MapField<T>>(&reading.fields[input]);
  if (map == nullptr) return;
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
  Batch batch{.first = reading->run.first, .maps = reading->size, .taken = reading->run.maps, .there = {}};
  for (Index place = 0; place < batch.maps; ++place) batch.there.push_back(place < batch.taken);
  for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
    if (plan_.values[plan_.inputs[i].value].per_item) check_places(*reading, i, batch);
  record_.maps += batch.taken;
  if (!batch.any()) return batch;
  for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
    if (!plan_.values[plan_.inputs[i].value].per_item) continue;
    finish_maps(*reading, i, batch, values);
    values[plan_.inputs[i].value] = std::move(reading->fields[i]);
  }
  return batch;
}

ARMILLA_INSTANTIATE_CLASS(BatchReader);

}  // namespace armilla::job
