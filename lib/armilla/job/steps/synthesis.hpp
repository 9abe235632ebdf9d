#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace armilla::job::steps {

/// `synthesis: {alm, grid, only, out}`: the map of an alm on a grid. With `only` it is a KeepOnly and a Synthesis.
struct Synthesis final : Operation {
  std::optional<GridSpec> grid;  ///< nothing: that of the second operand

  Synthesis(const YamlValue& value, const ParseContext& context);
  /// Of the operand, onto the grid, with the result of these names.
  Synthesis(const std::string& alm, GridSpec grid, const std::string& out);
  /// Of the first operand, onto the grid of the map called `like`.
  Synthesis(const std::string& alm, const std::string& like, const std::string& out);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  std::vector<std::pair<Place, std::string>> files() const override;
};

}  // namespace armilla::job::steps
