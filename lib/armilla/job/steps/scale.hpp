#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

namespace armilla::job::steps {

/// `scale: {alm, factor, out}`: an alm times a number.
struct Scale final : Operation {
  double factor = 1;

  Scale(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  bool reuses_operand() const override { return true; }
};

}  // namespace armilla::job::steps
