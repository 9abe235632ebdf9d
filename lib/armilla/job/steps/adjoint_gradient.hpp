#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/ops/gradient.hpp>

#include <optional>

namespace armilla::job::steps {

/// `adjoint_gradient: {map, lmax, mmax, axes, radius_m, out}`: the adjoint of gradient, of tangent vectors, a sum over
/// pixels without weights.
struct AdjointGradient final : Operation {
  Limits limits;
  ops::TangentAxes axes = ops::TangentAxes::kThetaPhi;
  std::optional<double> radius;

  AdjointGradient(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index extra_bytes(const JobPlan&, const PlannedStep& planned, core::Precision precision, int rank) const override;
};

}  // namespace armilla::job::steps
