#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/ops/gradient.hpp>

#include <optional>

namespace armilla::job::steps {

/// `axes: theta_phi` (which it is where not given) or `axes: east_north` of a step.
ops::TangentAxes parse_axes(const YamlValue& step);

/// `gradient: {alm, grid, axes, radius_m, out}`: the gradient of scalars, as a map of tangent vectors.
struct Gradient final : Operation {
  GridSpec grid;
  ops::TangentAxes axes = ops::TangentAxes::kThetaPhi;
  std::optional<double> radius;

  Gradient(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index extra_bytes(const JobPlan&, const PlannedStep& planned, core::Precision precision, int rank) const override;
  std::vector<std::pair<Place, std::string>> files() const override;
};

}  // namespace armilla::job::steps
