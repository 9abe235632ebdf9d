#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/job/campaign/batch_reader.hpp>
#include <armilla/job/run/left_out.hpp>

#include <utility>

namespace armilla::job {

/// Collective. Reads a map of values on all ranks, and uses it as the reference if no rank fails. Each group of ranks
/// starts with the first map, so that all groups find the same reference.
template <class T>
std::optional<core::CaughtError> BatchReader<T>::try_reference(std::size_t input, Index item) {
  std::vector<ReadMap> maps(1);
  const auto read = [&] {
    readers_[input].set_reference(item);
    Value<T> values;
    readers_[input].allocate(values, 1);
    maps[0] = readers_[input].read(item, values, 0);
  };
  try {
    files_.submit("read ahead", read).get();
  } catch (...) {
    maps[0].error = core::describe_current_exception();
  }
  return readers_[input].errors(maps, item).front();
}

/// Collective. If bad maps are left out, the points of values are those of the first readable map.
template <class T>
void BatchReader<T>::find_reference(std::size_t input) {
  for (Index item = 0; item < plan_.campaign->maps(); ++item) {
    const std::optional<core::CaughtError> error = try_reference(input, item);
    if (!error) return;
    if (error->kind != core::ErrorKind::kInput) core::throw_error(*error);
  }
}

template <class T>
void BatchReader<T>::begin(CampaignPlan::Run run, Index size) {
  if (!begun_ && plan_.spec.execution.on_bad_map == BadMapPolicy::kSkip)
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
      if (info_of(i).per_item && info_of(i).sort == ValueSort::kValues) find_reference(i);
  begun_ = true;
  auto reading = std::make_unique<Reading>();
  reading->run = run;
  reading->size = size;
  reading->fields.resize(plan_.inputs.size());
  reading->maps.resize(plan_.inputs.size());
  comm::phase(comm_, [&] {
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      if (!info_of(i).per_item) continue;
      reading->maps[i].resize(core::at(run.maps));
      // The points of values are read by the file thread.
      if (info_of(i).sort != ValueSort::kValues) readers_[i].allocate(reading->fields[i], size);
    }
  });
  Reading& target = *ahead_.emplace_back(std::move(reading));
  target.done = files_.submit("read ahead", [this, &target] {
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
      if (info_of(i).per_item) read_maps(target, i);
  });
}

template <class T>
void BatchReader<T>::read_maps(Reading& reading, std::size_t input) {
  Value<T>& field = reading.fields[input];
  for (std::size_t place = 0; place < reading.maps[input].size(); ++place) {
    ReadMap& map = reading.maps[input][place];
    const auto at = static_cast<Index>(place);
    try {
      if (field.is_empty()) readers_[input].allocate(field, reading.size);
      map = readers_[input].read(reading.run.first + at, field, at);
    } catch (...) {
      map.error = core::describe_current_exception();
    }
  }
}

template <class T>
void BatchReader<T>::check_maps(Reading& reading, std::size_t input, Batch& batch) {
  const InputSpec& spec = plan_.spec.inputs[input];
  const auto errors = readers_[input].errors(reading.maps[input], batch.first);
  for (std::size_t place = 0; place < errors.size(); ++place) {
    const auto& error = errors[place];
    if (!error || !batch.there[place]) continue;
    if (error->kind != core::ErrorKind::kInput) core::throw_error(*error);
    const Index item = batch.first + static_cast<Index>(place);
    leave_out(plan_, spec.place, item,
              {.input = spec.name, .file = plan_.inputs[input].source->text(item), .reason = error->message}, record_);
    batch.there[place] = false;
  }
}

template <class T>
void BatchReader<T>::finish_maps(Reading& reading, std::size_t input, const Batch& batch,
                                 std::vector<Value<T>>& values) {
  fill_absent(reading.fields[input], batch);
  for (std::size_t place = 0; place < reading.maps[input].size(); ++place)
    if (!batch.there[place]) reading.maps[input][place] = {};
  readers_[input].finish(reading.fields[input], reading.maps[input], batch.first, values, &record_);
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
    if (info_of(i).per_item) check_maps(*reading, i, batch);
  record_.maps += batch.taken;
  if (!batch.any()) return batch;
  for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
    if (!info_of(i).per_item) continue;
    finish_maps(*reading, i, batch, values);
    values[plan_.inputs[i].value] = std::move(reading->fields[i]);
  }
  return batch;
}

ARMILLA_INSTANTIATE_CLASS(BatchReader);

}  // namespace armilla::job
