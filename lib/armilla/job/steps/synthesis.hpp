#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

#include <string>
#include <utility>
#include <vector>

namespace armilla::job::steps {

/// `synthesis: {alm, grid, out}`: the map of an alm on a grid.
struct Synthesis final : Operation {
  GridSpec grid;

  Synthesis(const YamlValue& value, const ParseContext& context);
  /// Of the operand, onto the grid, with the result of these names.
  Synthesis(const std::string& alm, GridSpec grid, const std::string& out);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  std::vector<std::pair<Place, std::string>> files() const override;
};

}  // namespace armilla::job::steps
