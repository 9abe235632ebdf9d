#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/math/euler.hpp>
#include <armilla/ops/coordinates.hpp>

#include <optional>

namespace armilla::job::steps {

/// `rotate: {alm, euler_deg: [psi, theta, phi], out}` or `rotate: {alm, from, to, out}`: an alm rotated by angles, or
/// from one system of celestial coordinates to another; `from` is that of the alm where it is not given.
struct Rotate final : Operation {
  math::EulerAngles angles;  ///< where `to` is not given
  std::optional<ops::Coordinates> from;
  std::optional<ops::Coordinates> to;

  Rotate(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                    int rank) const override;
  bool reuses_operand() const override { return true; }
};

}  // namespace armilla::job::steps
