#include <armilla/job/operation/operation.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/job/value/output_file.hpp>
#include <armilla/points/point_field.hpp>

#include <algorithm>
#include <map>

namespace armilla::job {

namespace {

/// Stack and heap of the file thread, including its libraries.
constexpr Index kFileThreadBytes = Index{8} << 20;

}  // namespace

Index maps_of(const JobPlan& plan, const ValueInfo& value) {
  return value.per_item && plan.campaign ? plan.campaign->batch : 1;
}

Index local_points(const JobPlan& plan, const ValueInfo& value, int rank) {
  if (value.catalogue->own_points) return *value.catalogue->own_points;
  const Index points = value.catalogue->points;
  return points::first_point(points, plan.ranks, rank + 1) - points::first_point(points, plan.ranks, rank);
}

Index field_bytes(const JobPlan& plan, const ValueInfo& value, Index maps, int rank) {
  return in_precision_of(plan, [&]<class T>() {
    if (value.sort == ValueSort::kMap)
      return transform::MapField<T>::memory(value.kind, *value.pixels, rank, maps).held();
    if (value.sort == ValueSort::kAlm) return transform::AlmField<T>::memory(value.kind, *value.alm, rank, maps).held();
    if (has_points(value.sort))
      return core::saturating_product(maps * value.kind.components() * static_cast<Index>(sizeof(T)),
                                      local_points(plan, value, rank));
    return Index{0};
  });
}

MemoryModel::MemoryModel(const JobPlan& plan, int rank) : plan_(plan), rank_(rank), steps_(plan.steps.size()) {
  for (const ValueInfo& value : plan.values) values_.push_back(field_bytes(plan, value, maps_of(plan, value), rank));
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const StepResources& needs = *plan.spec.steps[i].operation;
    steps_[i].own = needs.memory(plan, plan.steps[i], rank);
    steps_[i].device = needs.device_use(plan, plan.steps[i], rank);
    has_device_ = has_device_ || steps_[i].device;
    if (!plan.steps[i].transform) continue;
    const transform::FieldTransformSpec& spec = *plan.steps[i].transform;
    has_device_ = has_device_ || spec.on_device();
    for (std::size_t before = 0; before < i && !steps_[i].transform; ++before)
      if (steps_[before].transform && *plan.steps[before].transform == spec)
        steps_[i].transform = steps_[before].transform;
    if (steps_[i].transform) continue;
    steps_[i].transform = in_precision_of(plan, [&]<class T>() {
      using Of = transform::FieldTransform<T>;
      return std::make_shared<const Transform>(Transform{
          Of::memory(spec, rank), spec.on_device() ? Of::device_memory(spec, rank) : backend::DeviceEstimate{}});
    });
  }
}

Index MemoryModel::min_work() const {
  Index least = 0;
  for (const Step& step : steps_) {
    if (step.transform) least = std::max(least, step.transform->device.min_work());
    if (step.device) least = std::max(least, step.device->memory.min_work());
  }
  return least;
}

// Other numbers than those in memory need a copy.
Index MemoryModel::write_bytes(std::size_t index) const {
  const PlannedOutput& planned = plan_.outputs[index];
  const OutputSpec& output = plan_.spec.outputs[index];
  const ValueInfo& value = plan_.values[planned.value];
  if (value.is_table()) return 0;
  const bool converts = stores_other_numbers(output, value);
  const Index maps = planned.form == OutputForm::kOne ? 1 : plan_.campaign->maps();
  if (planned.form == OutputForm::kBatchAxis || (converts && maps > 1))
    return field_bytes(plan_, value, 1, rank_);  // one map in the precision of the file
  const auto number = in_precision_of(plan_, []<class T>() { return static_cast<Index>(sizeof(T)); });
  return (converts ? values_[planned.value] : 0) + writer_bytes(output, value, planned.bytes / maps, number, rank_);
}

/// The memory in use between actions.
class MemoryModel::Walk {
 public:
  Walk(const MemoryModel& model, Index baseline, Index work_bytes)
      : model_(model), plan_(model.plan_), work_bytes_(work_bytes), host_(baseline), on_device_(plan_.values.size()) {}

  /// Starts the actions of a batch. Its inputs are in memory, those of the next batch are being read, and the results
  /// of the previous batch are being written.
  void begin_batch() {
    Index read = 0;
    for (const auto& input : plan_.inputs)
      if (plan_.values[input.value].per_item) {
        read += bytes(input.value) + places_bytes(input.value);
        host_ += good_pixels_bytes(input);
      }
    Index written = 0;
    for (std::size_t value = 0; value < plan_.values.size(); ++value)
      if (plan_.values[value].per_item && is_output(plan_, value)) {
        written += bytes(value);
        device_.fields += bytes(value);
      }
    for (const std::size_t value : plan_.kept) host_ += kept_bytes(plan_.values[value]);
    Index writing = 0;
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i) writing = std::max(writing, model_.write_bytes(i));
    // A group with one batch neither prefetches another nor writes an earlier one. With two batches, the first has a
    // next batch and the second has a previous one.
    const Index batches = (plan_.campaign->batches() + plan_.campaign->groups - 1) / plan_.campaign->groups;
    host_ += read + kFileThreadBytes;
    if (batches == 1) host_ += writing;
    if (batches == 2) host_ += std::max(read, written + writing);
    if (batches > 2) host_ += read + written + writing;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      if (!plan_.steps[i].per_item || keeper_of(plan_, i) != i) continue;
      const Index kept = model_.steps_[i].own.held();
      host_ += kept;
      if (plan_.steps[i].transform) device_.fields += kept;
      device_.fields += own_device_bytes(i);
    }
    in_batch_ = true;
  }

  /// Adds the peak during the action.
  void run(const Action& action, MemoryForecast& forecast) {
    Index host = 0;  // in addition to the memory in use afterwards
    Index device = 0;
    switch (action.kind) {
      case ActionKind::kRead:
        hold(plan_.inputs[action.index].value);
        if (!in_batch_)
          host_ += host_bytes(plan_.inputs[action.index].value) + good_pixels_bytes(plan_.inputs[action.index]);
        break;
      case ActionKind::kBuildTransform:
        add_transform(action.index, 1);
        break;
      case ActionKind::kDropTransform:
        add_transform(action.index, -1);
        break;
      case ActionKind::kStep:
        host = make_results(action.index);
        if (plan_.steps[action.index].transform) device = host;
        if (!in_batch_) device += own_device_bytes(action.index);
        break;
      case ActionKind::kFree:
        free(action.index);
        break;
      case ActionKind::kWrite:
        if (!in_batch_) host = model_.write_bytes(action.index);
        break;
      case ActionKind::kKeep:
        free(action.index);
        break;
    }
    forecast.actions.push_back(host_ + host);
    forecast.device.push_back({device_.fields + device, device_.transforms});
  }

 private:
  Index bytes(std::size_t value) const { return model_.values_[value]; }
  /// The memory of the caller is not counted; on a device, its values have their own.
  Index host_bytes(std::size_t value) const { return plan_.values[value].is_borrowed ? 0 : bytes(value); }
  Index good_pixels_bytes(const PlannedInput& input) const { return input.good_pixels ? bytes(*input.good_pixels) : 0; }
  /// Already counted by begin_batch().
  bool stays(std::size_t value) const { return in_batch_ && plan_.values[value].per_item && is_output(plan_, value); }

  /// Values of all maps that stay in memory, with the spectra from which statistics are computed.
  Index kept_bytes(const ValueInfo& value) const {
    const Index maps = plan_.campaign->maps();
    if (!value.is_table()) return value.per_item ? field_bytes(plan_, value, maps, model_.rank_) : 0;
    const Index degrees = value.spectra_lmax + 1, spectra = static_cast<Index>(value.spectra.size());
    const Index matrices = value.sort == ValueSort::kStatistics ? (spectra + 1) * degrees : 0;
    return core::saturating_product(degrees * static_cast<Index>(sizeof(double)), maps * spectra + matrices);
  }

  void add_transform(std::size_t step, Index sign) {
    const Transform& transform = *model_.steps_[step].transform;
    host_ += sign * transform.host.peak();
    device_.transforms += sign * transform.device.with_work(work_bytes_);
  }

  /// Memory of a step without its transform.
  Index own_device_bytes(std::size_t step) const {
    const std::optional<DeviceUse>& use = model_.steps_[step].device;
    return use ? use->memory.with_work(work_bytes_).peak() : 0;
  }

  void bring(std::size_t value) {
    if (on_device_[value] || has_points(plan_.values[value].sort)) return;
    on_device_[value] = true;
    if (!stays(value)) device_.fields += bytes(value);
  }

  /// The points of a catalogue are in memory as long as any of its values.
  void hold(std::size_t value) {
    const Catalogue* catalogue = plan_.values[value].catalogue.get();
    if (catalogue != nullptr && holders_[catalogue]++ == 0) host_ += places_bytes(value);
  }
  void release(std::size_t value) {
    const Catalogue* catalogue = plan_.values[value].catalogue.get();
    if (catalogue != nullptr && --holders_[catalogue] == 0) host_ -= places_bytes(value);
  }
  Index places_bytes(std::size_t value) const {
    if (plan_.values[value].catalogue == nullptr) return 0;
    return 2 * static_cast<Index>(sizeof(double)) * local_points(plan_, plan_.values[value], model_.rank_);
  }

  void free(std::size_t value) {
    release(value);
    if (!stays(value)) {
      host_ -= host_bytes(value);
      if (on_device_[value]) device_.fields -= bytes(value);
    }
    on_device_[value] = false;
  }

  /// Returns the memory of the step itself; the state that it keeps between batches is already counted.
  Index make_results(std::size_t index) {
    const PlannedStep& planned = plan_.steps[index];
    const bool in_place = is_in_place(plan_, index);
    for (std::size_t i = in_place ? 1 : 0; i < planned.results.size(); ++i) host_ += bytes(planned.results[i]);
    for (const std::size_t result : planned.results) hold(result);
    if (in_place) release(planned.operands.front());
    if (in_place && on_device_[planned.operands.front()]) {
      on_device_[planned.operands.front()] = false;  // the result is the same field
      on_device_[planned.results.front()] = true;
    }
    const std::optional<DeviceUse>& use = model_.steps_[index].device;
    if (planned.transform || (use && use->fields_from && *use->fields_from <= work_bytes_)) {
      for (const std::size_t value : planned.operands) bring(value);
      for (const std::size_t value : planned.results) bring(value);
    }
    const core::MemoryEstimate& own = model_.steps_[index].own;
    return in_batch_ ? own.workspace : own.peak();
  }

  const MemoryModel& model_;
  const JobPlan& plan_;
  Index work_bytes_;
  Index host_;
  DeviceBytes device_;
  std::vector<bool> on_device_;                   ///< [value]
  std::map<const Catalogue*, int> holders_ = {};  ///< number of values at its points
  bool in_batch_ = false;
};

MemoryForecast MemoryModel::forecast(Index baseline, std::optional<Index> work_bytes) const {
  MemoryForecast forecast{baseline, {}, {}};
  Walk walk(*this, baseline, work_bytes.value_or(0));
  for (const Action& action : plan_.schedule) walk.run(action, forecast);
  if (plan_.campaign) {
    walk.begin_batch();
    for (const Action& action : plan_.campaign->schedule) walk.run(action, forecast);
  }
  if (!work_bytes) forecast.device.clear();
  return forecast;
}

Index MemoryForecast::peak() const {
  return actions.empty() ? baseline : std::max(baseline, *std::max_element(actions.begin(), actions.end()));
}

DeviceBytes MemoryForecast::device_peak() const {
  DeviceBytes peak;
  for (const DeviceBytes& bytes : device)
    if (bytes.total() > peak.total()) peak = bytes;
  return peak;
}

MemoryForecast forecast_memory(const JobPlan& plan, int rank, Index baseline) {
  return MemoryModel(plan, rank)
      .forecast(baseline, plan.device ? std::optional(plan.device->work_bytes) : std::nullopt);
}

}  // namespace armilla::job
