#include <armilla/core/saturating.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/memory_model.hpp>
#include <armilla/job/operation.hpp>

#include <algorithm>

namespace armilla::job {

namespace {

/// Blocks of the FITS writers on the root: read together, received and in the order of the file.
constexpr Index kStreamBytes = Index{48} << 20;

/// Stack and heap of the thread of files, and what its libraries hold.
constexpr Index kFileThreadBytes = Index{8} << 20;

template <class T>
class Forecaster {
 public:
  Forecaster(const JobPlan& plan, int rank, Index baseline) : plan_(plan), rank_(rank), held_(baseline) {}

  /// From here on the actions of a batch: its inputs are there, those of the next one are being read, and what the last
  /// one made is being written.
  void begin_batch() {
    for (const auto& input : plan_.inputs)
      if (plan_.values[input.value].per_item) held_ += 2 * bytes(input.value) + good_pixels_bytes(input);
    for (std::size_t value = 0; value < plan_.values.size(); ++value)
      if (is_written_behind(value)) held_ += bytes(value);
    Index writing = 0;
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i) writing = std::max(writing, write_bytes(i));
    held_ += writing + kFileThreadBytes;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      if (plan_.steps[i].per_item && keeper_of(plan_, i) == i)
        held_ += plan_.spec.steps[i].operation->kept_bytes(plan_, plan_.steps[i], rank_);
    in_batch_ = true;
  }

  /// Peak while the action runs; afterwards held_ is what stays.
  Index run(const Action& action) {
    switch (action.kind) {
      case ActionKind::kRead:
        return held_ += in_batch_ ? 0 : input_bytes(plan_.inputs[action.index]);
      case ActionKind::kBuildTransform:
        return held_ += transform::FieldTransform<T>::workspace_bytes(*plan_.steps[action.index].transform, rank_);
      case ActionKind::kDropTransform:
        held_ -= transform::FieldTransform<T>::workspace_bytes(*plan_.steps[action.index].transform, rank_);
        return held_;
      case ActionKind::kStep:
        return step(action.index);
      case ActionKind::kFree:
        return held_ -= in_batch_ && is_written_behind(action.index) ? 0 : bytes(action.index);
      case ActionKind::kWrite:
        return held_ + (in_batch_ ? 0 : write_bytes(action.index));
    }
    return held_;
  }

 private:
  /// Of all maps of a batch.
  Index bytes(std::size_t value) const {
    const ValueInfo& info = plan_.values[value];
    const Index maps = info.per_item && plan_.campaign ? plan_.campaign->batch : 1;
    return core::saturating_product(maps, field_bytes(info, core::kPrecisionOf<T>, rank_));
  }
  Index good_pixels_bytes(const PlannedInput& input) const { return input.good_pixels ? bytes(*input.good_pixels) : 0; }
  Index input_bytes(const PlannedInput& input) const { return bytes(input.value) + good_pixels_bytes(input); }
  bool is_written_behind(std::size_t value) const { return plan_.values[value].per_item && is_output(plan_, value); }

  /// What writers hold besides the field: NESTED order takes a whole component on the root three times (as received, in
  /// RING and in NESTED order) and once what each rank sends; FITS passes through the root in blocks; another
  /// convention of alm takes a copy.
  Index write_bytes(std::size_t index) const {
    const OutputSpec& output = plan_.spec.outputs[index];
    const ValueInfo& value = plan_.values[plan_.outputs[index].value];
    if (value.sort >= ValueSort::kSpectra) return 0;
    constexpr auto kNumber = static_cast<Index>(sizeof(T));
    const bool converts = !(output.convention.or_default() == alm::Convention());
    const Index maps = plan_.outputs[index].form == OutputForm::kOne ? 1 : plan_.campaign->maps();
    if (plan_.outputs[index].form == OutputForm::kBatchAxis || (converts && maps > 1))
      return field_bytes(value, core::kPrecisionOf<T>, rank_);  // one map in the numbers of the file
    if (converts) return bytes(plan_.outputs[index].value);
    if (output.ordering == io::Ordering::kNested)
      return kNumber * (value.pixels->local_pixels(rank_) + (rank_ == 0 ? 3 * value.pixels->grid().npix() : 0));
    if (io::format_of_name(output.file) == io::Format::kFits && rank_ == 0)
      return std::min(3 * plan_.outputs[index].bytes / maps / value.kind.components(), kStreamBytes);
    return 0;
  }

  Index step(std::size_t index) {
    const PlannedStep& planned = plan_.steps[index];
    const Index extra = plan_.spec.steps[index].operation->extra_bytes(plan_, planned, core::kPrecisionOf<T>, rank_);
    for (std::size_t i = is_in_place(plan_, index) ? 1 : 0; i < planned.results.size(); ++i)
      held_ += bytes(planned.results[i]);
    return held_ + extra;
  }

  const JobPlan& plan_;
  int rank_;
  Index held_;
  bool in_batch_ = false;
};

template <class T>
std::vector<Index> forecast(const JobPlan& plan, int rank, Index baseline) {
  Forecaster<T> forecaster(plan, rank, baseline);
  std::vector<Index> peaks;
  for (const auto& action : plan.schedule) peaks.push_back(forecaster.run(action));
  if (!plan.campaign) return peaks;
  forecaster.begin_batch();
  for (const auto& action : plan.campaign->schedule) peaks.push_back(forecaster.run(action));
  return peaks;
}

}  // namespace

Index field_bytes(const ValueInfo& value, core::Precision precision, int rank) {
  const Index number = precision == core::Precision::kSingle ? 4 : 8;
  switch (value.sort) {
    case ValueSort::kMap:
      return value.kind.components() * value.pixels->local_pixels(rank) * number;
    case ValueSort::kAlm:
      return value.kind.components() * value.alm->local_size(rank) * 2 * number;
    case ValueSort::kSpectra:
    case ValueSort::kStatistics:
      break;
  }
  return 0;
}

Index MemoryForecast::peak() const {
  return actions.empty() ? baseline : std::max(baseline, *std::max_element(actions.begin(), actions.end()));
}

MemoryForecast forecast_memory(const JobPlan& plan, int rank, Index baseline) {
  MemoryForecast forecast{baseline,
                          plan.spec.execution.precision == core::Precision::kSingle
                              ? job::forecast<float>(plan, rank, baseline)
                              : job::forecast<double>(plan, rank, baseline),
                          {}};
  if (plan.device) forecast.device = forecast_device(plan, rank, DeviceDemands(plan, rank), plan.device->work_bytes);
  return forecast;
}

}  // namespace armilla::job
