#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/ops/vector_fields.hpp>

#include <optional>

namespace armilla::job::steps {

/// `convert_vector: {alm, from, to, radius_m, out}`: tangent vectors as wind, vorticity and divergence, stream function
/// and velocity potential, one into another. Other components of the field stay as they are.
struct ConvertVector final : Operation {
  std::optional<ops::VectorForm> from;
  ops::VectorForm to = ops::VectorForm::kWind;
  std::optional<double> radius;

  ConvertVector(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  bool reuses_operand() const override { return true; }
};

}  // namespace armilla::job::steps
