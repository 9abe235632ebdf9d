#include <armilla/job/operation.hpp>
#include <armilla/job/plan_builder.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job {

namespace {

bool uses(const PlannedStep& step, std::size_t value) {
  return std::find(step.operands.begin(), step.operands.end(), value) != step.operands.end();
}

bool is_used_after(const JobPlan& plan, std::size_t value, std::size_t first_step) {
  return std::any_of(plan.steps.begin() + static_cast<std::ptrdiff_t>(first_step), plan.steps.end(),
                     [&](const PlannedStep& step) { return uses(step, value); });
}

/// Whether the next step that transforms at all, after `step`, can use the same transform.
bool next_transform_is_same(const JobPlan& plan, std::size_t step) {
  for (std::size_t next = step + 1; next < plan.steps.size(); ++next)
    if (plan.steps[next].transform) return same_transform(*plan.steps[next].transform, *plan.steps[step].transform);
  return false;
}

bool previous_transform_is_same(const JobPlan& plan, std::size_t step) {
  for (std::size_t previous = step; previous-- > 0;)
    if (plan.steps[previous].transform)
      return same_transform(*plan.steps[previous].transform, *plan.steps[step].transform);
  return false;
}

class Scheduler {
 public:
  explicit Scheduler(const JobPlan& plan) : plan_(plan), read_(plan.inputs.size(), false) {}

  std::vector<Action> make() {
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      for (const std::size_t value : plan_.steps[step].operands) read_if_input(value);
      run(step);
    }
    for (const auto& output : plan_.outputs) {  // inputs that are written as they are, and used by no step
      if (!read_if_input(output.value)) continue;
      add(ActionKind::kFree, output.value);
    }
    return std::move(actions_);
  }

 private:
  void add(ActionKind kind, std::size_t index) { actions_.push_back({kind, index}); }

  bool read_if_input(std::size_t value) {
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      if (plan_.inputs[i].value != value || read_[i]) continue;
      read_[i] = true;
      add(ActionKind::kRead, i);
      write(value);
      return true;
    }
    return false;
  }

  void write(std::size_t value) {
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i)
      if (plan_.outputs[i].value == value) add(ActionKind::kWrite, i);
  }

  void run(std::size_t step) {
    const PlannedStep& planned = plan_.steps[step];
    if (planned.transform && !previous_transform_is_same(plan_, step)) add(ActionKind::kBuildTransform, step);
    add(ActionKind::kStep, step);
    if (planned.transform && !next_transform_is_same(plan_, step)) add(ActionKind::kDropTransform, step);
    const bool reuses = is_in_place(plan_, step);
    for (std::size_t value = 0; value < plan_.values.size(); ++value)
      if (uses(planned, value) && is_last_use(plan_, step, value) && !(reuses && value == planned.operands.front()))
        add(ActionKind::kFree, value);
    for (const std::size_t result : planned.results) {
      write(result);
      if (!is_used_after(plan_, result, step + 1)) add(ActionKind::kFree, result);
    }
  }

  const JobPlan& plan_;
  std::vector<bool> read_;
  std::vector<Action> actions_;
};

}  // namespace

bool is_last_use(const JobPlan& plan, std::size_t step, std::size_t value) {
  return !is_used_after(plan, value, step + 1);
}

bool is_in_place(const JobPlan& plan, std::size_t step) {
  return plan.spec.steps[step].operation->reuses_operand() &&
         is_last_use(plan, step, plan.steps[step].operands.front());
}

std::vector<Action> make_schedule(const JobPlan& plan) { return Scheduler(plan).make(); }

}  // namespace armilla::job
