#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/run/finite_check.hpp>
#include <armilla/job/run/left_out.hpp>
#include <armilla/job/run/plan_runner.hpp>
#include <armilla/job/run/read_input.hpp>
#include <armilla/job/value/output_file.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

template <class T>
void PlanRunner<T>::run(const std::vector<Action>& actions) {
  for (const auto& action : actions) {
    switch (action.kind) {
      case ActionKind::kRead:
        read(action.index);
        break;
      case ActionKind::kBuildTransform:
        build_transform(action.index);
        break;
      case ActionKind::kStep:
        step(action.index);
        break;
      case ActionKind::kDropTransform:
        transforms_.erase(find_transform(action.index));
        break;
      case ActionKind::kFree:
        values_[action.index].clear();
        break;
      case ActionKind::kWrite:
        write(action.index);
        break;
      case ActionKind::kKeep:
        keep_batch(action.index);
        break;
    }
  }
}

template <class T>
void PlanRunner<T>::run_batch(Batch batch) {
  batch_ = std::move(batch);
  if (!batch_.any()) return;
  try {
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
      if (plan_.values[plan_.inputs[i].value].per_item) check_input(i);
    run(plan_.campaign->schedule);
  } catch (const NoMapLeft&) {
    for (std::size_t value = 0; value < values_.size(); ++value)
      if (plan_.values[value].per_item) values_[value].clear();
  }
}

template <class T>
ValuesByName<T> PlanRunner<T>::take_kept() {
  ValuesByName<T> kept;
  for (const std::size_t value : plan_.kept)
    if (!plan_.values[value].per_item && plan_.values[value].sort != ValueSort::kStatistics)
      kept[plan_.values[value].name] = std::move(values_[value]);
  return kept;
}

template <class T>
void PlanRunner<T>::read(std::size_t index) {
  const PlannedInput& planned = plan_.inputs[index];
  if (plan_.values[planned.value].per_item) return;  // read before the batch
  progress_.note("reading " + planned.source->text(0));
  InputReader<T> reader(comm_, plan_, index);
  Value<T>& value = values_[planned.value];
  const std::vector<ReadMap> maps = reader.read_single(value, 0, record_.timers);
  reader.finish(value, maps, 0, values_, writes ? &record_ : nullptr);
  check_input(index);
}

template <class T>
void PlanRunner<T>::check_input(std::size_t index) {
  const InputSpec& input = plan_.spec.inputs[index];
  const std::size_t value = plan_.inputs[index].value;
  const bool per_item = plan_.values[value].per_item;
  Batch& batch = per_item ? batch_ : one_;
  const std::vector<ops::MapFault> faults = nonfinite_maps<T>(comm_, plan_, value, {}, values_, batch);
  if (faults.empty()) return;
  if (plan_.spec.execution.on_nonfinite == NonfinitePolicy::kWarn) {
    if (writes || per_item) warn_nonfinite(plan_, input.place, value, faults, batch, record_);
    return;
  }
  if (!per_item)
    complain(
        input.place, {},
        fmt::format("{} in {}: {}", faults.front().reason, plan_.inputs[index].source->text(0), nonfinite_advice()));
  const auto about = [&](const ops::MapFault& fault) {
    return SkippedMap{.input = input.name,
                      .file = plan_.inputs[index].source->text(batch.first + fault.place),
                      .reason = fault.reason};
  };
  leave_out<T>(comm_, plan_, input.place, faults, about, values_, batch, record_);
}

template <class T>
typename PlanRunner<T>::Transforms::iterator PlanRunner<T>::find_transform(std::size_t step) {
  const auto& wanted = plan_.steps[step].transform;
  return std::ranges::find_if(transforms_,
                              [&](const auto& transform) { return wanted && transform.spec() == *wanted; });
}

template <class T>
void PlanRunner<T>::build_transform(std::size_t index) {
  progress_.note("preparing " + plan_.spec.steps[index].place.path);
  transform::Monitor monitor{.timers = &record_.timers, .bytes_sent = &record_.bytes_sent};
  if (comm_.is_root()) monitor.progress = [this](double fraction) { progress_.update(fraction); };
  // A campaign stops only between batches.
  if (!plan_.campaign) monitor.between_iterations = [this] { comm::agree(comm_, core::stop_at_boundary()); };
  const core::ScopedPhase timer(record_.timers, "prepare");
  const double start = core::now_seconds();
  transforms_.push_back(cache_.take<T>(*plan_.steps[index].transform, std::move(monitor)));
  record_.backend = transforms_.back()->backend();
  if (plan_.steps[index].per_item) record_.preparation_seconds += core::now_seconds() - start;
}

template <class T>
void PlanRunner<T>::prepare_batches() {
  // What steps keep may refer to their transforms.
  for (std::size_t i = 0; i < step_states_.size(); ++i)
    if (plan_.steps[i].per_item) step_states_[i].reset();
  std::erase_if(transforms_, [](const auto& transform) { return transform.spec().campaign; });
  for (const Action& action : plan_.schedule)
    if (action.kind == ActionKind::kBuildTransform && plan_.steps[action.index].per_item) build_transform(action.index);
}

template <class T>
void PlanRunner<T>::step(std::size_t index) {
  const StepSpec& spec = plan_.spec.steps[index];
  const PlannedStep& planned = plan_.steps[index];
  if (!planned.per_item) comm::agree(comm_, core::stop_at_boundary());
  progress_.begin(index, spec.place.path, planned.transforms);
  const double start = core::now_seconds();
  const auto transform = find_transform(index);
  const auto store = planned.results.empty() ? stores.end() : stores.find(planned.results.front());
  const std::unique_ptr<iteration::Checkpoint<T>> checkpoint = make_checkpoint ? make_checkpoint(index) : nullptr;
  StepRun<T> run(comm_, plan_, index, values_, transform == transforms_.end() ? nullptr : &**transform, record_,
                 planned.per_item ? batch_ : one_, store == stores.end() ? nullptr : store->second,
                 step_states_[keeper_of(plan_, index)], checkpoint.get());
  spec.operation->run(run);
  check_results(index, run);
  if (!planned.per_item) step_states_[index].reset();
  record_.add_step(spec.place.path, core::now_seconds() - start);
}

template <class T>
void PlanRunner<T>::check_results(std::size_t index, StepRun<T>& run) {
  const PlannedStep& planned = plan_.steps[index];
  const core::ScopedPhase timer(record_.timers, "check numbers");
  for (const std::size_t value : planned.results) {
    std::vector<ops::MapFault> faults = nonfinite_maps<T>(comm_, plan_, value, planned.operands, values_, run.batch());
    if (faults.empty()) continue;
    if (plan_.spec.execution.on_nonfinite == NonfinitePolicy::kWarn) {
      if (writes || planned.per_item) warn_nonfinite(plan_, run.place(), value, faults, run.batch(), record_);
      continue;
    }
    if (!planned.per_item) faults.front().reason += ": " + nonfinite_advice();
    run.leave_out(faults);
  }
}

template <class T>
void PlanRunner<T>::write(std::size_t index) {
  const OutputSpec& output = plan_.spec.outputs[index];
  const std::size_t number = plan_.outputs[index].value;
  const ValueInfo& info = plan_.values[number];
  if (info.per_item) return write_batch(index);
  if (!writes) return;
  progress_.note("writing " + output.file);
  const core::ScopedPhase timer(record_.timers, "write");
  write_value(comm_, marked(plan_, output.file), output, info, values_[number], 0);
}

ARMILLA_INSTANTIATE_CLASS(PlanRunner);

}  // namespace armilla::job
