#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/scale.hpp>
#include <armilla/ops/alm_algebra.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Scale& scale, StepRun<T>& step) {
  step.local("scale", [&] { ops::scale(step.take_alm(), scale.factor); });
}

}  // namespace

Scale::Scale(const YamlValue& value, const ParseContext&) : factor(parse_finite(value.at("factor"))) {
  take(value, "alm", ValueSort::kAlm);
  make(value);
}

OperationKind Scale::kind() { return {"scale", {"alm", "factor", "out"}, parse_step<Scale>}; }

void Scale::plan(StepPlanner& planner) const { planner.make_field(ValueSort::kAlm).alm = planner.operand().alm; }

void Scale::run(StepRun<float>& step) const { run_as(*this, step); }
void Scale::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
