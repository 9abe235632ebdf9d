#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

namespace armilla::job::steps {

/// `smooth: {alm, fwhm_arcmin, out}`: an alm times the window of a Gaussian beam.
struct Smooth final : Operation {
  double fwhm_arcmin = 0;

  Smooth(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  bool reuses_operand() const override { return true; }
};

}  // namespace armilla::job::steps
