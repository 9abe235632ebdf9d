// Work of an analysis, for forecasts of time.
#include <armilla/cost/transform_work.hpp>
#include <armilla/job/steps/analysis.hpp>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// Number of passes over the pixels, and over the coefficients, of a map in one iteration of a fit.
constexpr double kMapPasses = 3;
constexpr double kAlmPasses = 20;
constexpr double kPenaltyPasses = 12;
/// Number of iterations that a forecast assumes for a fit that stops at convergence.
constexpr Index kAssumedIterations = 20;

/// Passes of corrections by a scheme, including the first analysis.
cost::Passes passes_of(iteration::Scheme scheme, double corrections) {
  switch (scheme) {
    case iteration::Scheme::kPixel:
      return {.synthesis = corrections, .adjoint = 1 + corrections};
    case iteration::Scheme::kRing:
      return {.adjoint = 1, .delta_synthesis = corrections, .delta_adjoint = corrections};
    case iteration::Scheme::kNormalMatrix:
      break;
  }
  return {.adjoint = 1};
}

/// Bytes of memory traffic of all ranks, evenly distributed.
cost::Item memory_item(double bytes, int ranks) { return {cost::Kernel::kMemory, 1024, 1, {bytes, bytes / ranks}}; }

}  // namespace

StepWork Analysis::work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) const {
  const transform::FieldTransformSpec& spec = *planned.transform;
  StepWork result;
  const auto corrections = ops::iterations_of(method.method, spec.pixels->grid(), spec.alm->layout().lmax());
  if (corrections) {
    const iteration::Scheme scheme =
        corrections->count > 0 ? iteration::choose_scheme(spec, *corrections) : iteration::Scheme::kPixel;
    cost::Passes passes = passes_of(scheme, static_cast<double>(corrections->count));
    if (spec.theta_quadrature() && !corrections->ring_weights) passes.exact_quadrature = passes.adjoint;
    const bool deals = corrections->count > 0 && iteration::deals_whole_maps(scheme, corrections->order);
    result.work = deals ? transform->of_whole_maps(passes) : transform->of(passes);
    if (scheme == iteration::Scheme::kRing)
      result.work.add(transform->of_ring_modes(static_cast<double>(corrections->count)));
    if (scheme == iteration::Scheme::kNormalMatrix)
      result.assumption = "the time does not include the normal matrix and its products";
    return result;
  }
  // Its last pass is verified by a synthesis and an adjoint (fit_in_rounds).
  const ops::LeastSquares* fit = method.method.fit();
  const bool ends_by_number = fit != nullptr && fit->max_iterations <= kAssumedIterations;
  const Index iterations = ends_by_number ? fit->max_iterations : kAssumedIterations;
  // Non-uniform weights are preconditioned by their inverse, which adds a synthesis and an adjoint.
  const bool spread = fit != nullptr && (method.inverse_variance || !fit->ring_inverse_variance.empty());
  const auto pairs = static_cast<double>((spread ? 2 : 1) * iterations + 1);
  result.work = transform->of({.synthesis = pairs, .adjoint = pairs + 1});
  const auto bytes = static_cast<double>(transform->bytes_of_number() * spec.maps * spec.kind.components());
  const auto pixels = static_cast<double>(spec.pixels->grid().npix());
  const auto coefficients = static_cast<double>(spec.alm->layout().size());
  const bool has_penalty = fit != nullptr && (fit->regularise.any() || method.prior);
  const double alm_passes = kAlmPasses + (has_penalty ? kPenaltyPasses : 0);
  result.work.add(memory_item(pairs * bytes * (kMapPasses * pixels + 2 * alm_passes * coefficients), plan.ranks));
  result.assumption = fmt::format("{} {} iterations", ends_by_number ? "at most" : "assumed:", iterations);
  return result;
}

}  // namespace armilla::job::steps
