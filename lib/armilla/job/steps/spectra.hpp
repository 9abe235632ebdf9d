#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

namespace armilla::job::steps {

/// `spectra: {alm, with, out}`: auto spectra of an alm, or cross spectra of two.
struct Spectra final : Operation {
  Spectra(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
};

}  // namespace armilla::job::steps
