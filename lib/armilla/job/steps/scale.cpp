#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/ops/alm_algebra.hpp>

namespace armilla::job::steps {

namespace {

struct Scale final : Step<Scale> {
  double factor = 1;

  static Keys<Scale> keys() {
    return {operand("alm", ValueSort::kAlm, "the coefficients"),
            number("factor", &Scale::factor, -kAny, kAny, "the factor").required(), result("the product")};
  }

  void plan(StepPlanner& planner) const override { planner.make_field(ValueSort::kAlm).alm = planner.operand().alm; }

  template <class T>
  void execute(StepRun<T>& step) const {
    step.local("scale", [&] { ops::scale(step.take_alm(), factor); });
  }

  bool reuses_operand() const override { return true; }
};

}  // namespace

OperationKind scale() { return Scale::kind("scale", "Multiply coefficients by a number"); }

}  // namespace armilla::job::steps
