#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

namespace armilla::job::steps {

/// `adjoint_analysis: {alm, grid, out}`: the adjoint of analysis by quadrature, a synthesis times the weights.
struct AdjointAnalysis final : Operation {
  GridSpec grid;

  AdjointAnalysis(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  std::vector<std::pair<Place, std::string>> files() const override;
};

}  // namespace armilla::job::steps
