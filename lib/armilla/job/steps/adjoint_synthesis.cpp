#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/adjoint_synthesis.hpp>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const AdjointSynthesis&, StepRun<T>& step) {
  transform::AlmField<T>& alm = step.make_alm();
  step.transform().adjoint_synthesis(step.map(), alm);
}

}  // namespace

AdjointSynthesis::AdjointSynthesis(const YamlValue& value, const ParseContext&) : limits(parse_lmax_mmax(value)) {
  take(value, "map", ValueSort::kMap);
  make(value);
}

OperationKind AdjointSynthesis::kind() {
  return {"adjoint_synthesis", {"map", "lmax", "mmax", "out"}, parse_step<AdjointSynthesis>};
}

void AdjointSynthesis::plan(StepPlanner& planner) const {
  ValueInfo& alm = planner.make_field(ValueSort::kAlm);
  alm.units.assign(alm.units.size(), "");  // a sum over pixels has no unit of its own
  alm.alm = planner.builder().alm(limits.lmax, limits.mmax);
  planner.use_transform(alm, alm.alm, planner.operand().pixels, 1);
}

void AdjointSynthesis::run(StepRun<float>& step) const { run_as(*this, step); }
void AdjointSynthesis::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
