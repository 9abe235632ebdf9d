#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/ops/analysis.hpp>

#include <optional>
#include <string>

namespace armilla::job::steps {

/// `analysis: {map, lmax, mmax, method, allow_aliasing, out}`: the alm of a map.
struct Analysis final : Operation {
  enum class Aliasing { kRefuse, kAllow };

  std::optional<Limits> limits;  ///< nothing: as much as the grid of the map carries, and the one below
  std::optional<GridSpec> for_grid;
  ops::AnalysisMethod method;
  Aliasing aliasing = Aliasing::kRefuse;

  Analysis(const YamlValue& value, const ParseContext& context);
  /// Of the operand and with the result of these names.
  Analysis(const std::string& map, const std::string& out);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                    int rank) const override;
  Index kept_bytes(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
};

}  // namespace armilla::job::steps
