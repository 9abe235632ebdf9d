#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/smooth.hpp>
#include <armilla/ops/smooth.hpp>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Smooth& smooth, StepRun<T>& step) {
  step.local("smooth", [&] { ops::smooth(step.take_alm(), smooth.fwhm_arcmin * core::kPi / (180 * 60)); });
}

}  // namespace

Smooth::Smooth(const YamlValue& value, const ParseContext&) {
  take(value, "alm", ValueSort::kAlm);
  const YamlValue fwhm = value.at("fwhm_arcmin");
  fwhm_arcmin = fwhm.number();
  if (!(fwhm_arcmin >= 0 && fwhm_arcmin <= 180 * 60)) fwhm.fail("is outside 0 .. 10800 arc minutes");
  make(value);
}

OperationKind Smooth::kind() { return {"smooth", {"alm", "fwhm_arcmin", "out"}, parse_step<Smooth>}; }

void Smooth::plan(StepPlanner& planner) const { planner.make_field(ValueSort::kAlm).alm = planner.operand().alm; }

void Smooth::run(StepRun<float>& step) const { run_as(*this, step); }
void Smooth::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
