#pragma once

#include <armilla/job/steps/analysis_method.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/ops/analysis.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::job::steps {

/// The alm of a map, or some components of it.
struct Analysis final : Step<Analysis> {
  enum class Aliasing { kRefuse, kAllow };

  std::optional<Limits> limits;  ///< nothing: as much as the grid of the map carries, and the one below
  std::optional<GridSpec> for_grid;
  MethodSpec method;
  std::vector<std::string> only;  ///< components of the alm; none: all
  Aliasing aliasing = Aliasing::kRefuse;

  Analysis() = default;
  /// Of the operand and with the result of these names, by this method.
  Analysis(const std::string& map, MethodSpec method, const std::string& out);
  static Keys<Analysis> keys();
  void finish(const YamlValue& value);

  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
  void prepare(const comm::Communicator& world, const PlannedStep& planned) const override;
  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
  StepWork work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) const override;
  bool shares_kept(const Operation& other) const override;
  std::string why_cpu() const override;
  std::string plan_note(const JobPlan& plan, const PlannedStep& planned) const override;

  /// Numbers of the operands that weight pixels; none if the method has none.
  std::optional<std::size_t> mask_operand() const;
  std::optional<std::size_t> inverse_variance_operand() const;

 private:
  void take_weights();
};

/// Throws InputError for what `step` cannot be asked: the grid has no such weights, cannot tell coefficients up to
/// `limits` apart, or cannot give the tolerance; a mask or inverse variance does not fit the `components` of the map
/// that are analysed (analysis_checks.cpp).
void check_analysis(const StepPlanner& planner, const Analysis& step, const Limits& limits, Index components);

/// Refuses a tolerance of a fit that the precision cannot give (analysis_checks.cpp).
void check_fit_tolerance(const StepPlanner& planner, const MethodSpec& method);

/// What `method`, a key of the step, reached for the maps of a batch.
SolvedAnalysis solved_analysis(const Place& place, const std::string& method,
                               const std::vector<ops::AnalysisOutcome>& outcomes, const Batch& batch);

}  // namespace armilla::job::steps
