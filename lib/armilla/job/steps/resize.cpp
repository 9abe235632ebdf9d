#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/ops/alm_algebra.hpp>

namespace armilla::job::steps {

namespace {

struct Resize final : Step<Resize> {
  Limits limits;

  static Keys<Resize> keys() {
    return {operand("alm", ValueSort::kAlm, "the coefficients"), lmax(&Resize::limits).required(),
            mmax(&Resize::limits), result("the coefficients up to the new lmax and mmax")};
  }

  void plan(StepPlanner& planner) const override {
    planner.make_field(ValueSort::kAlm).alm = planner.builder().alm(limits.lmax, limits.mmax);
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const ValueInfo& from = plan.values[planned.operands.front()];
    const ValueInfo& to = plan.values[planned.results.front()];
    const core::MemoryEstimate of_map =
        in_precision_of(plan, [&]<class T>() { return ops::resize_memory<T>(from.kind, *from.alm, *to.alm, rank); });
    return maps_at_once(plan, planned) * of_map;
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::AlmField<T>& resized = step.make_alm();
    const core::ScopedPhase timer(step.record().timers, "resize");
    ops::resize(step.comm(), step.alm(), resized);
  }
};

}  // namespace

OperationKind resize() {
  return Resize::kind("resize", "Truncate coefficients, or pad them with zeros, to a new lmax and mmax");
}

}  // namespace armilla::job::steps
