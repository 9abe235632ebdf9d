#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>

namespace armilla::job::steps {

namespace {

struct AdjointSynthesis final : Step<AdjointSynthesis> {
  Limits limits;

  static Keys<AdjointSynthesis> keys() {
    return {operand("map", ValueSort::kMap, "the map"), lmax(&AdjointSynthesis::limits).required(),
            mmax(&AdjointSynthesis::limits), result("the coefficients")};
  }

  void plan(StepPlanner& planner) const override {
    ValueInfo& alm = planner.make_field(ValueSort::kAlm);
    alm.units.assign(alm.units.size(), "");  // a sum over pixels has no unit of its own
    alm.alm = planner.builder().alm(limits.lmax, limits.mmax);
    planner.use_transform(alm, alm.alm, planner.operand().pixels, 1);
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::AlmField<T>& alm = step.make_alm();
    step.transform().adjoint_synthesis(step.map(), alm);
  }
};

}  // namespace

OperationKind adjoint_synthesis() {
  return AdjointSynthesis::kind(
      "adjoint_synthesis", "Apply the adjoint of synthesis: the coefficients Y^T map, an unweighted sum over pixels");
}

}  // namespace armilla::job::steps
