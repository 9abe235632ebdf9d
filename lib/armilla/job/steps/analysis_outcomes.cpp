// The outcomes of fits in the report, and warnings of them.
#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/rows.hpp>

#include <utility>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// Condition number from which on a fit is warned of. Half of the digits of a double are then lost.
constexpr double kLargeCondition = 1e8;

std::string range_text(const OverMaps& value) {
  return value.min == value.max ? fmt::format("{:.2g}", value.max)
                                : fmt::format("{:.2g} .. {:.2g}", value.min, value.max);
}

std::string analysis_text(const Finding& found) {
  const auto range = [&](const char* key) { return found.value<OverMaps>(key); };
  const auto count = [&](const char* key) { return found.value<SumOverMaps>(key).sum; };
  const OverMaps iterations = range("iterations");
  std::string text =
      fmt::format("{} by {}: {} iterations, ", found.step, found.value<std::string>("method"),
                  iterations.min == iterations.max ? fmt::format("{:.0f}", iterations.max)
                                                   : fmt::format("{:.0f} .. {:.0f}", iterations.min, iterations.max));
  if (const OverMaps residual = range("displacement_residual_rad"); residual.any())
    text += fmt::format("displaced points within {} rad of the pixels", range_text(residual));
  else if (const OverMaps error = range("alm_error"); error.any())
    text += fmt::format("estimated relative error of the alm {}", range_text(error));
  else
    text += fmt::format("relative residual of the normal equations {}, condition at least {} after {} iterations",
                        range_text(range("normal_residual")), range_text(range("condition")),
                        found.value<OfLargestMap>("condition_iterations").number);
  if (const OverMaps residual = range("map_residual"); residual.any())
    text += fmt::format(", rms of residual / rms of map {}", range_text(residual));
  if (count("unconverged") > 0)
    text += fmt::format(", NOT CONVERGED: {} of {} maps", count("unconverged"), count("maps"));
  return text + "\n";
}

}  // namespace

FindingKind analyses() { return {"analyses", analysis_text}; }

template <class T>
void record_outcomes(StepRun<T>& step, const std::string& method, const std::vector<ops::AnalysisOutcome>& outcomes) {
  const auto worst = [&] { return step.found(analyses()).template value<OverMaps>("condition").max; };
  const bool is_warned_of = worst() >= kLargeCondition;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (!step.batch().is_there(static_cast<Index>(k))) continue;
    const ops::AnalysisOutcome& outcome = outcomes[k];
    FindingValues found{{"method", method},
                        {"maps", SumOverMaps{1}},
                        {"unconverged", SumOverMaps{outcome.converged ? 0 : 1}},
                        {"iterations", OverMaps::of(static_cast<double>(outcome.iterations))},
                        {"normal_residual", OverMaps::of(outcome.normal_residual)},
                        {"map_residual", OverMaps::of(outcome.map_residual)}};
    if (outcome.alm_error) {
      found.emplace_back("alm_error", OverMaps::of(*outcome.alm_error));
    } else {
      found.emplace_back("condition", OverMaps::of(outcome.condition));
      found.emplace_back("condition_iterations", OfLargestMap{outcome.condition, outcome.condition_iterations});
    }
    step.report(analyses(), std::move(found));
  }
  if (is_warned_of || worst() < kLargeCondition) return;
  step.warn(fmt::format(
      "{}: the data hardly determine some combinations of coefficients: the condition number of the fit is at least "
      "{:.1e}, as seen after {} iterations. Lower lmax, use more data, or regularise the fit ({}.regularise)",
      method, worst(), step.found(analyses()).template value<OfLargestMap>("condition_iterations").number, method));
}

ARMILLA_INSTANTIATE(record_outcomes);

}  // namespace armilla::job::steps
