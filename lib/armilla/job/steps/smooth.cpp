#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/ops/smooth.hpp>

namespace armilla::job::steps {

namespace {

constexpr double kHalfTurn = 180 * 60;  // arc minutes

struct Smooth final : Step<Smooth> {
  double fwhm_arcmin = 0;

  static Keys<Smooth> keys() {
    return {
        operand("alm", ValueSort::kAlm, "the coefficients"),
        number("fwhm_arcmin", &Smooth::fwhm_arcmin, 0, kHalfTurn,
               "full width at half maximum [arc minutes]; for B_l in a file, use `multiply` with `by: {window: FILE}`")
            .required(),
        result("the smoothed coefficients")};
  }

  void plan(StepPlanner& planner) const override { planner.make_field(ValueSort::kAlm).alm = planner.operand().alm; }

  template <class T>
  void execute(StepRun<T>& step) const {
    step.local("smooth", [&] { ops::smooth(step.take_alm(), fwhm_arcmin * core::kPi / kHalfTurn); });
  }

  bool reuses_operand() const override { return true; }
};

}  // namespace

OperationKind smooth() {
  return Smooth::kind("smooth",
                      "Multiply coefficients by a Gaussian beam, exp(-(l(l+1) - s^2) sigma^2 / 2) for spin s");
}

}  // namespace armilla::job::steps
