// The outcomes of fits in the report, and warnings of them.
#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/analysis.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// Condition number from which on a fit is warned of. Half of the digits of a double are then lost.
constexpr double kLargeCondition = 1e8;

SolvedAnalysis solved_analysis(const Place& place, const std::string& method,
                               const std::vector<ops::AnalysisOutcome>& outcomes, const Batch& batch) {
  SolvedAnalysis solved{.step = place.path, .method = method};
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (!batch.is_there(static_cast<Index>(k))) continue;
    const ops::AnalysisOutcome& outcome = outcomes[k];
    ++solved.maps;
    if (!outcome.converged) ++solved.unconverged;
    solved.iterations.add(static_cast<double>(outcome.iterations));
    solved.normal_residual.add(outcome.normal_residual);
    solved.map_residual.add(outcome.map_residual);
    if (outcome.alm_error)
      solved.alm_error.add(*outcome.alm_error);
    else
      solved.add_condition({outcome.condition, outcome.condition}, outcome.condition_iterations);
  }
  return solved;
}

}  // namespace

template <class T>
void record_outcomes(StepRun<T>& step, const std::string& method, const std::vector<ops::AnalysisOutcome>& outcomes) {
  const SolvedAnalysis solved = solved_analysis(step.place(), method, outcomes, step.batch());
  const auto& earlier = step.record().analyses;
  const auto known = std::ranges::find(earlier, solved.step, &SolvedAnalysis::step);
  const bool is_warned_of = known != earlier.end() && known->condition.max >= kLargeCondition;
  if (solved.condition.any() && solved.condition.max >= kLargeCondition && !is_warned_of)
    step.warn(fmt::format(
        "{}: the data hardly determine some combinations of coefficients: the condition number of the fit is at least "
        "{:.1e}, as seen after {} iterations. Lower lmax, use more data, or regularise the fit ({}.regularise)",
        method, solved.condition.max, solved.condition_iterations, method));
  step.record().add(solved);
}

ARMILLA_INSTANTIATE(record_outcomes);

}  // namespace armilla::job::steps
