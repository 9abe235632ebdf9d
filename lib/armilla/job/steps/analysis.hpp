#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/job/steps/analysis_method.hpp>
#include <armilla/ops/analysis.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::job::steps {

/// `analysis: {map, only, lmax, mmax, method or tolerance, allow_aliasing, out}`: the alm of a map, or some components
/// of it.
struct Analysis final : Operation {
  enum class Aliasing { kRefuse, kAllow };

  std::optional<Limits> limits;  ///< nothing: as much as the grid of the map carries, and the one below
  std::optional<GridSpec> for_grid;
  MethodSpec method;
  std::vector<std::string> only;  ///< components of the alm; none: all
  Aliasing aliasing = Aliasing::kRefuse;

  Analysis(const YamlValue& value, const ParseContext& context);
  /// Of the operand and with the result of these names, by this method.
  Analysis(const std::string& map, MethodSpec method, const std::string& out);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  void prepare(const comm::Communicator& world, const PlannedStep& planned) const override;
  Index extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                    int rank) const override;
  Index kept_bytes(const JobPlan& plan, const PlannedStep& planned, int rank) const override;

  bool shares_kept(const Operation& other) const override;
  std::string why_cpu() const override;
  std::string plan_note(const PlannedStep& planned) const override;

  /// Numbers of the operands that weigh pixels; none where the method has none.
  std::optional<std::size_t> mask_operand() const;
  std::optional<std::size_t> inverse_variance_operand() const;

 private:
  /// What iterations keep from batch to batch, which is not of the step's own duration.
  Index kept_workspace(const JobPlan& plan, const PlannedStep& planned, core::Precision precision, int rank) const;
  void take_all(const std::string& map);
};

}  // namespace armilla::job::steps
