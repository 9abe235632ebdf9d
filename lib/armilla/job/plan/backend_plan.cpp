#include <armilla/backend/context.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/plan/backend_plan.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// Whether a step can compute on a device.
bool can_use_device(const JobPlan& plan) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const StepResources& needs = *plan.spec.steps[i].operation;
    if (plan.steps[i].transform || needs.uses_device(plan.steps[i])) return true;
  }
  return false;
}

std::string why_cpu(const JobPlan& plan) {
  for (const StepSpec& step : plan.spec.steps)
    if (const std::string why = step.operation->why_cpu(); !why.empty())
      return fmt::format("{}: {}", step.place.path, why);
  return backend::why_cpu(plan.spec.execution.options);
}

void set_backend(JobPlan& plan, backend::Kind kind) {
  plan.spec.execution.backend = kind;
  for (PlannedStep& step : plan.steps)
    if (step.transform) step.transform->backend = kind;
}

}  // namespace

void choose_backend(const comm::Communicator& comm, JobPlan& plan) {
  const backend::Kind asked = plan.spec.execution.backend;
  if (asked == backend::Kind::kAuto) {
    plan.backend = can_use_device(plan)
                       ? transform::choose_backend(comm, asked, plan.spec.execution.precision, why_cpu(plan))
                       : transform::BackendChoice{.kind = backend::Kind::kCpu, .automatic = true};
    set_backend(plan, plan.backend.kind);
  } else {
    plan.backend = {.kind = asked};
  }
  if (backend::has_device(plan.backend.kind)) plan_for_device(plan);
}

void plan_for_device(JobPlan& plan) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const StepResources& needs = *plan.spec.steps[i].operation;
    needs.plan_for_device(plan.steps[i]);
  }
}

void try_backend(const comm::Communicator& comm, JobPlan& plan) {
  if (plan.backend.automatic || !can_use_device(plan)) return;
  plan.backend = transform::choose_backend(comm, plan.backend.kind, plan.spec.execution.precision, {});
}

void fall_back_to_cpu(JobPlan& plan, const std::string& why) {
  plan.backend.kind = backend::Kind::kCpu;
  plan.backend.warning = fmt::format("automatic backend: all ranks compute on CPUs, although their GPUs work. {}", why);
  set_backend(plan, plan.backend.kind);
}

std::string check_text(const transform::DeviceTrial& trial) {
  const std::string kept = trial.kept ? "; result of an earlier check" : "";
  if (std::isinf(trial.rms))
    return fmt::format("device check: GPU '{}' FAILED: no finite result{}\n", trial.device, kept);
  return fmt::format("device check: GPU '{}' {} from the CPU by {:.1e} (relative rms, at most {:.0e}{})\n",
                     trial.device, trial.passed ? "differs" : "FAILED: it differs", trial.rms, trial.limit, kept);
}

}  // namespace armilla::job
