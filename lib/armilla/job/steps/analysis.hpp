#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/ops/analysis.hpp>

namespace armilla::job::steps {

/// `analysis: {map, lmax, mmax, method, allow_aliasing, out}`: the alm of a map.
struct Analysis final : Operation {
  enum class Aliasing { kRefuse, kAllow };

  Limits limits;
  ops::AnalysisMethod method;
  Aliasing aliasing = Aliasing::kRefuse;

  Analysis(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index extra_bytes(const PlannedStep& planned, core::Precision precision, int rank) const override;
};

}  // namespace armilla::job::steps
