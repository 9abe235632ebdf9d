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

  std::optional<Limits> limits;  ///< unset: the maximum supported by the grid of the map and by for_grid
  std::optional<GridSpec> for_grid;
  MethodSpec method;
  std::vector<std::string> only;  ///< components of the alm; empty: all
  Aliasing aliasing = Aliasing::kRefuse;

  Analysis() = default;
  /// Uses the operand and result with these names, and this method.
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

  /// Indices of the operands that weight pixels; std::nullopt if the method has none.
  std::optional<std::size_t> mask_operand() const;
  std::optional<std::size_t> inverse_variance_operand() const;

 private:
  void take_weights();
};

/// Throws InputError for an unsupported `step`: the grid has no such weights, cannot resolve coefficients up to
/// `limits`, or cannot reach the tolerance. Also throws if a mask or inverse variance does not fit the analysed
/// components of the map, of that kind, and for a fit without regularisation that has fewer pixels than unknowns
/// (analysis_checks.cpp).
void check_analysis(StepPlanner& planner, const Analysis& step, const Limits& limits, const transform::FieldKind& kind);

/// Throws InputError for a fit tolerance that the precision cannot reach (analysis_checks.cpp).
void check_fit_tolerance(const StepPlanner& planner, const MethodSpec& method);

/// Records the outcome of `method`, a key of the step, for the maps of a batch. Warns once of a large condition number.
template <class T>
void record_outcomes(StepRun<T>& step, const std::string& method, const std::vector<ops::AnalysisOutcome>& outcomes);

}  // namespace armilla::job::steps
