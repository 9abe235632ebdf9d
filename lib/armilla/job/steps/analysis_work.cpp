// What an analysis does, for forecasts of time.
#include <armilla/cost/transform_work.hpp>
#include <armilla/job/steps/analysis.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// Passes over the pixels, and over the coefficients, of a map in an iteration of a fit.
constexpr double kMapPasses = 3;
constexpr double kAlmPasses = 20;
/// Iterations that a forecast assumes of a fit that ends when it has converged.
constexpr Index kAssumedIterations = 20;

/// Of corrections by a scheme, the first analysis included.
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

/// Bytes that all ranks go over in memory, dealt out evenly.
cost::Item memory_item(double bytes, int ranks) { return {cost::Kernel::kMemory, 1024, 1, {bytes, bytes / ranks}}; }

}  // namespace

StepWork Analysis::work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) const {
  const transform::FieldTransformSpec& spec = *planned.transform;
  StepWork result;
  const auto corrections = ops::corrections_of(method.method, spec.pixels->grid(), spec.alm->layout().lmax());
  if (corrections) {
    const iteration::Scheme scheme =
        corrections->count > 0 ? iteration::choose_scheme(spec, *corrections) : iteration::Scheme::kPixel;
    cost::Passes passes = passes_of(scheme, static_cast<double>(corrections->count));
    if (spec.theta_quadrature()) passes.exact_quadrature = passes.adjoint;
    result.work = transform->of(passes);
    if (scheme == iteration::Scheme::kRing)
      result.work.add(transform->of_ring_modes(static_cast<double>(corrections->count)));
    if (scheme == iteration::Scheme::kNormalMatrix)
      result.assumption = "the normal matrix and its products are not in the time";
    return result;
  }
  // Its last pass is checked by a synthesis and an adjoint (fit_in_rounds).
  const ops::LeastSquares* fit = method.method.fit();
  const bool ends_by_number = fit != nullptr && fit->max_iterations <= kAssumedIterations;
  const Index iterations = ends_by_number ? fit->max_iterations : kAssumedIterations;
  // Weights that differ are preconditioned by their inverse, which is a synthesis and an adjoint more.
  const bool spread = fit != nullptr && (method.inverse_variance || !fit->ring_inverse_variance.empty());
  const auto pairs = static_cast<double>((spread ? 2 : 1) * iterations + 1);
  result.work = transform->of({.synthesis = pairs, .adjoint = pairs + 1});
  const auto bytes = static_cast<double>(transform->bytes_of_number() * spec.maps * spec.kind.components());
  const auto pixels = static_cast<double>(spec.pixels->grid().npix());
  const auto coefficients = static_cast<double>(spec.alm->layout().size());
  result.work.add(memory_item(pairs * bytes * (kMapPasses * pixels + 2 * kAlmPasses * coefficients), plan.ranks));
  result.assumption = fmt::format("{} {} iterations", ends_by_number ? "at most" : "assumed:", iterations);
  return result;
}

}  // namespace armilla::job::steps
