#include <armilla/core/error.hpp>
#include <armilla/core/precision_name.hpp>
#include <armilla/grid/quadrature_error.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/ops/solvers/accuracy.hpp>
#include <armilla/ops/solvers/fit_counts.hpp>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

bool takes_grid_weights(const ops::AnalysisMethod& method) {
  return method.fit() == nullptr && method.weights.kind == ops::WeightKind::kGrid;
}

/// Throws InputError for a grid without such weights, and for coefficients that the grid cannot distinguish.
void check_grid(const StepPlanner& planner, const Analysis& step, const Limits& chosen, const grid::RingGrid& grid) {
  const ops::AnalysisMethod& method = step.method.method;
  if (!grid.description().is_whole())
    planner.refuse_operand(0, fmt::format("covers only part of the sky ({}), over which quadrature is not exact: use "
                                          "adjoint_synthesis, or supply your own weights in a rings file",
                                          grid.description().text()));
  if (!grid.has_weights() && takes_grid_weights(method))
    planner.refuse_operand(0, fmt::format("is on {}, which has no quadrature weights: add the dataset 'weight' to its "
                                          "file, or use adjoint_synthesis or the method cg",
                                          grid.description().text()));
  try {
    ops::check_weights(method.weights, grid);
  } catch (const core::InputError& error) {
    planner.rethrow("method", marked_text(error));
  }
  if (step.aliasing == Analysis::Aliasing::kAllow) return;
  const auto check = [&](const char* key, Index value, const std::string& rule, Index limit) {
    if (value > limit)
      planner.refuse_key(
          key, fmt::format("{}", value),
          fmt::format("exceeds {} = {} of map '{}' (aliased): lower {}, or set {}", rule, limit, planner.operand().name,
                      core::mention({}, key), core::mention({}, "allow_aliasing", "true")));
  };
  const grid::AnalysisLimits& limits = grid.analysis_limits();
  check("lmax", chosen.lmax, limits.lmax_rule, limits.lmax);
  check("mmax", chosen.mmax, limits.mmax_rule, limits.mmax);
  if (const Index spin = planner.operand().kind.max_spin(); spin > limits.spin)
    planner.refuse_operand(0, fmt::format("has spin {}, but {} supports spins up to {} (aliased): create the grid with "
                                          "spin: {}, or set {}",
                                          spin, grid.description().text(), limits.spin, spin,
                                          core::mention({}, "allow_aliasing", "true")));
}

/// Warns of degrees beyond the accurate limit of the grid, which quadrature then computes with errors.
void warn_of_errors(StepPlanner& planner, const Analysis& step, const Limits& chosen, const grid::RingGrid& grid) {
  const ops::AnalysisMethod& method = step.method.method;
  if (!takes_grid_weights(method) || !std::holds_alternative<ops::Quadrature>(method.solver) ||
      step.aliasing == Analysis::Aliasing::kAllow || !grid::exceeds_accurate_limits(grid, chosen.lmax, chosen.mmax))
    return;
  const Index accurate = grid::accurate_lmax(grid);
  const std::string name = grid.description().text();
  const std::string limit = chosen.lmax > accurate
                                ? fmt::format("exceeds {}, up to which quadrature on {} is accurate to {:.2g}",
                                              accurate, name, grid::accepted_quadrature_error(grid))
                                : fmt::format("is beyond what the weights of {} are accurate for", name);
  const std::string advice = chosen.lmax > accurate ? fmt::format("lower lmax to {}", accurate) : "check the weights";
  const bool is_double = planner.spec().execution.precision == core::Precision::kDouble;
  planner.warn_of_key(
      "lmax", fmt::format("{}", chosen.lmax),
      fmt::format(
          "{}: the expected error of coefficients is {:.2g} of their rms, for equal power at all l: {}{}", limit,
          grid::expected_quadrature_error(grid, chosen.lmax, chosen.mmax), advice,
          is_double && chosen.lmax > accurate ? ", or set " + core::mention({}, "tolerance", "1e-8") : std::string()));
}

double min_tolerance(core::Precision precision) {
  return precision == core::Precision::kSingle ? ops::min_fit_tolerance<float>() : ops::min_fit_tolerance<double>();
}

/// Throws InputError for tolerances that the precision, or the grid, cannot reach.
void check_tolerance(const StepPlanner& planner, const Analysis& step, const Limits& chosen, const grid::RingGrid& grid,
                     core::Precision precision) {
  const ops::AnalysisMethod& method = step.method.method;
  if (const auto* accuracy = std::get_if<ops::Accuracy>(&method.solver)) {
    try {
      ops::check_accuracy(
          {grid, chosen.lmax, chosen.mmax, planner.operand().kind.max_spin(), precision, accuracy->tolerance});
    } catch (const core::InputError& error) {
      planner.refuse_key("tolerance", fmt::format("{:.3g}", accuracy->tolerance), marked_text(error));
    }
  }
  check_fit_tolerance(planner, step.method);
}

/// Throws InputError for a mask or inverse variance that does not fit the map.
void check_fit_map(const StepPlanner& planner, std::size_t number, Index transformed) {
  const ValueInfo& map = planner.operand(0);
  const ValueInfo& weights = planner.operand(number);
  if (!weights.pixels->grid().same_pixels(map.pixels->grid()))
    planner.refuse_operand(number, fmt::format("is on {}, but the map '{}' is on {}: use the same pixels",
                                               weights.pixels->grid().description().text(), map.name,
                                               map.pixels->grid().description().text()));
  const Index components = weights.kind.components();
  if (components != 1 && components != transformed)
    planner.refuse_operand(number, fmt::format("has {} components, but {} components of the map '{}' are analysed: use "
                                               "one component for all, or one for each",
                                               components, transformed, map.name));
}

void check_fit_maps(const StepPlanner& planner, const Analysis& step, const grid::RingGrid& grid, Index transformed) {
  for (const auto& number : {step.mask_operand(), step.inverse_variance_operand()})
    if (number) check_fit_map(planner, *number, transformed);
  const ops::LeastSquares* fit = step.method.method.fit();
  if (fit == nullptr || fit->ring_inverse_variance.empty()) return;
  if (fit->ring_inverse_variance.size() != grid.rings().size())
    planner.rethrow(step.method.key + ".inverse_variance",
                    fmt::format("has {} numbers, but {} has {} rings: list one number per ring, or name a map",
                                fit->ring_inverse_variance.size(), grid.description().text(), grid.rings().size()));
}

/// Throws InputError for a fit that has fewer values than unknowns even without masks.
void check_fit_counts(const StepPlanner& planner, const Analysis& step, const Limits& limits,
                      const grid::RingGrid& grid, const transform::FieldKind& kind) {
  const ops::LeastSquares* fit = step.method.method.fit();
  if (fit == nullptr || fit->regularise.any() || step.method.prior) return;
  Index used = 0;
  for (std::size_t ring = 0; ring < grid.rings().size(); ++ring)
    if (fit->ring_inverse_variance.empty() || fit->ring_inverse_variance[ring] > 0) used += grid.rings()[ring].nphi;
  const std::string fault =
      ops::count_fault(ops::FitData::kPixels, alm::AlmLayout(limits.lmax, limits.mmax), kind,
                       [&](std::size_t field) { return used * kind.spin_fields()[field].components; });
  if (!fault.empty()) planner.rethrow(step.method.key, fault);
}

}  // namespace

void check_fit_tolerance(const StepPlanner& planner, const MethodSpec& method) {
  const core::Precision precision = planner.spec().execution.precision;
  const ops::LeastSquares* fit = method.method.fit();
  if (fit == nullptr || !fit->tolerance || *fit->tolerance >= min_tolerance(precision)) return;
  planner.refuse_key(method.key + ".tolerance", fmt::format("{:.3g}", *fit->tolerance),
                     fmt::format("is below the limit of {} precision: use {:.2g} or more{}",
                                 core::precision_name(precision), min_tolerance(precision),
                                 precision == core::Precision::kSingle
                                     ? ", or set " + core::mention("execution", "precision", "double")
                                     : ""));
}

void check_analysis(StepPlanner& planner, const Analysis& step, const Limits& limits,
                    const transform::FieldKind& kind) {
  const grid::RingGrid& grid = planner.operand().pixels->grid();
  check_grid(planner, step, limits, grid);
  warn_of_errors(planner, step, limits, grid);
  check_tolerance(planner, step, limits, grid, planner.spec().execution.precision);
  check_fit_maps(planner, step, grid, kind.components());
  check_fit_counts(planner, step, limits, grid, kind);
}

}  // namespace armilla::job::steps
