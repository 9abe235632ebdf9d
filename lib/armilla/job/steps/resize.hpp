#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

namespace armilla::job::steps {

/// `resize: {alm, lmax, mmax, out}`: an alm cut, or filled up with zeros, to other limits.
struct Resize final : Operation {
  Limits limits;

  Resize(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                    int rank) const override;
};

}  // namespace armilla::job::steps
