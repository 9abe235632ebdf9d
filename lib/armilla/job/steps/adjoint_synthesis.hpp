#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

namespace armilla::job::steps {

/// `adjoint_synthesis: {map, lmax, mmax, out}`: the adjoint of synthesis, a sum over pixels without weights.
struct AdjointSynthesis final : Operation {
  Limits limits;

  AdjointSynthesis(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
};

}  // namespace armilla::job::steps
