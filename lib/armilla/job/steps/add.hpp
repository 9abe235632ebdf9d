#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

namespace armilla::job::steps {

/// `add: {alm, with, factors, out}`: a sum of two alm, each times a number.
struct Add final : Operation {
  double factor = 1;        ///< of `alm`
  double other_factor = 1;  ///< of `with`

  Add(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  bool reuses_operand() const override { return true; }
};

}  // namespace armilla::job::steps
