#include <armilla/job/operation/operation.hpp>
#include <armilla/job/plan/plan_builder.hpp>

#include <algorithm>

namespace armilla::job {

namespace {

bool uses(const PlannedStep& step, std::size_t value) {
  return std::find(step.operands.begin(), step.operands.end(), value) != step.operands.end();
}

/// Considers steps of the same part: those that run once, or those of a batch.
bool is_used_after(const JobPlan& plan, std::size_t value, std::size_t first_step, bool per_item) {
  return std::any_of(plan.steps.begin() + static_cast<std::ptrdiff_t>(first_step), plan.steps.end(),
                     [&](const PlannedStep& step) { return step.per_item == per_item && uses(step, value); });
}

/// Whether the value is shared by all maps of a campaign, so that each batch needs it.
bool is_shared_by_batches(const JobPlan& plan, std::size_t value) {
  return !plan.values[value].per_item && is_used_after(plan, value, 0, true);
}

/// Whether the next step with a transform, after `step`, can use the same transform.
bool next_transform_is_same(const JobPlan& plan, std::size_t step) {
  for (std::size_t next = step + 1; next < plan.steps.size(); ++next)
    if (plan.steps[next].transform && !plan.steps[next].per_item)
      return *plan.steps[next].transform == *plan.steps[step].transform;
  return false;
}

bool previous_transform_is_same(const JobPlan& plan, std::size_t step) {
  for (std::size_t previous = step; previous-- > 0;)
    if (plan.steps[previous].transform && !plan.steps[previous].per_item)
      return *plan.steps[previous].transform == *plan.steps[step].transform;
  return false;
}

/// Schedules the part that runs once, or a batch.
class Scheduler {
 public:
  Scheduler(const JobPlan& plan, bool per_item) : plan_(plan), per_item_(per_item), read_(plan.inputs.size(), false) {}

  std::vector<Action> make() {
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      if (plan_.steps[step].per_item != per_item_) continue;
      for (const std::size_t value : plan_.steps[step].operands) read_if_input(value);
      run(step);
    }
    // Inputs that are written unchanged and used by no step.
    for (const auto& output : plan_.outputs)
      if (!is_shared_by_batches(plan_, output.value)) read_if_input(output.value);
    for (const std::size_t value : plan_.kept) read_if_input(value);
    if (!per_item_) prepare_batches();
    return std::move(actions_);
  }

 private:
  void add(ActionKind kind, std::size_t index) { actions_.push_back({kind, index}); }

  void read_if_input(std::size_t value) {
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      const PlannedInput& input = plan_.inputs[i];
      const bool is_good_pixels = input.good_pixels == value;
      if ((input.value != value && !is_good_pixels) || read_[i] || plan_.values[value].per_item != per_item_) continue;
      read_[i] = true;
      add(ActionKind::kRead, i);
      finish_reading(input.value);
      if (input.good_pixels) finish_reading(*input.good_pixels);
    }
  }

  /// Frees a value that no step needs.
  void finish_reading(std::size_t value) {
    if (!per_item_) write(value);
    if (!is_used_after(plan_, value, 0, per_item_) && !is_shared_by_batches(plan_, value)) free(value);
  }

  void write(std::size_t value) {
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i)
      if (plan_.outputs[i].value == value) add(ActionKind::kWrite, i);
  }

  void run(std::size_t step) {
    const PlannedStep& planned = plan_.steps[step];
    if (planned.transform && !per_item_ && !previous_transform_is_same(plan_, step))
      add(ActionKind::kBuildTransform, step);
    add(ActionKind::kStep, step);
    if (planned.transform && !per_item_ && !next_transform_is_same(plan_, step)) add(ActionKind::kDropTransform, step);
    const bool reuses = is_in_place(plan_, step);
    for (std::size_t value = 0; value < plan_.values.size(); ++value)
      if (uses(planned, value) && is_last_use(plan_, step, value) && !(reuses && value == planned.operands.front()))
        free(value);
    for (const std::size_t result : planned.results) {
      if (plan_.values[result].per_item != per_item_) continue;  // available after the last batch
      if (!per_item_) write(result);
      if (!is_used_after(plan_, result, step + 1, per_item_) && !is_shared_by_batches(plan_, result)) free(result);
    }
  }

  /// In a batch, a value is written, or handed to the caller, once it is no longer needed.
  void free(std::size_t value) {
    if (is_kept_for_caller(plan_, value)) {
      if (per_item_) add(ActionKind::kKeep, value);
      return;
    }
    if (per_item_) write(value);
    add(ActionKind::kFree, value);
  }

  /// Reads the values that only batches use, and constructs each of their transforms once.
  void prepare_batches() {
    for (const PlannedStep& step : plan_.steps)
      if (step.per_item)
        for (const std::size_t value : step.operands) read_if_input(value);
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      const auto same = [&](const PlannedStep& other) {
        return other.per_item && other.transform && *other.transform == *plan_.steps[step].transform;
      };
      if (!plan_.steps[step].per_item || !plan_.steps[step].transform) continue;
      const auto before = plan_.steps.begin() + static_cast<std::ptrdiff_t>(step);
      if (std::none_of(plan_.steps.begin(), before, same)) add(ActionKind::kBuildTransform, step);
    }
  }

  const JobPlan& plan_;
  bool per_item_;
  std::vector<bool> read_;
  std::vector<Action> actions_;
};

}  // namespace

bool is_last_use(const JobPlan& plan, std::size_t step, std::size_t value) {
  return !is_used_after(plan, value, step + 1, plan.steps[step].per_item) && !is_shared_by_batches(plan, value);
}

bool is_in_place(const JobPlan& plan, std::size_t step) {
  const PlannedStep& planned = plan.steps[step];
  if (!plan.spec.steps[step].operation->reuses_operand()) return false;
  const std::size_t operand = planned.operands.front();
  if (plan.values[operand].is_borrowed || is_kept_for_caller(plan, operand)) return false;
  if (!is_last_use(plan, step, operand) || std::ranges::count(planned.operands, operand) > 1) return false;
  // In a batch, outputs are passed to the writer when they are freed.
  return !planned.per_item || !is_output(plan, operand);
}

std::vector<Action> make_schedule(const JobPlan& plan) { return Scheduler(plan, false).make(); }

std::vector<Action> make_batch_schedule(const JobPlan& plan) { return Scheduler(plan, true).make(); }

}  // namespace armilla::job
