#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/resize.hpp>
#include <armilla/ops/alm_algebra.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Resize&, StepRun<T>& step) {
  transform::AlmField<T>& resized = step.make_alm();
  const core::ScopedPhase timer(step.record().timers, "resize");
  ops::resize(step.comm(), step.alm(), resized);
}

}  // namespace

Resize::Resize(const YamlValue& value, const ParseContext&) : limits(parse_lmax_mmax(value)) {
  take(value, "alm", ValueSort::kAlm);
  make(value);
}

OperationKind Resize::kind() { return {"resize", {"alm", "lmax", "mmax", "out"}, parse_step<Resize>}; }

void Resize::plan(StepPlanner& planner) const {
  planner.make_field(ValueSort::kAlm).alm = planner.builder().alm(limits.lmax, limits.mmax);
}

Index Resize::extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision, int rank) const {
  const ValueInfo& from = plan.values[planned.operands.front()];
  const ValueInfo& to = plan.values[planned.results.front()];
  const Index bytes = precision == core::Precision::kSingle
                          ? ops::resize_bytes<float>(from.kind, *from.alm, *to.alm, rank)
                          : ops::resize_bytes<double>(from.kind, *from.alm, *to.alm, rank);
  return maps_at_once(plan, planned) * bytes;
}

void Resize::run(StepRun<float>& step) const { run_as(*this, step); }
void Resize::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
