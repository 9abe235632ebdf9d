#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/precision_name.hpp>
#include <armilla/ops/solvers/accuracy.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/scaled_map.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

constexpr Index kMaxFitIterations = 1000;
constexpr Index kMaxCorrections = 10;
// Below this eigenvalue, conjugate gradients take more than about 600 iterations.
constexpr double kMinEigenvalue = 1e-3;
constexpr double kDecay = 0.9;
constexpr double kAtTheLimit = 0.26;

// Upper limit of the relative rounding error of an analysis, measured on Gauss, Clenshaw-Curtis and HEALPix rings.
double rounding(core::Precision precision, Index lmax) {
  const auto degrees = static_cast<double>(lmax);
  return precision == core::Precision::kSingle ? std::max(4e-7, 2e-10 * degrees) : std::max(2e-14, 2.4e-17 * degrees);
}

// Smallest eigenvalue that permits the tolerance.
double needed_eigenvalue(core::Precision precision, Index lmax, double tolerance) {
  return std::max(kMinEigenvalue, rounding(precision, lmax) / tolerance);
}

template <class T>
AccuracyTask task_of(const transform::FieldTransformSpec& spec, double tolerance) {
  return {spec.pixels->grid(),  spec.alm->layout().lmax(), spec.alm->layout().mmax(),
          spec.kind.max_spin(), core::kPrecisionOf<T>,     tolerance};
}

// Quadrature followed by corrections, each the quadrature of the residual, until they are below the tolerance.
template <class T>
std::vector<AnalysisOutcome> checked_quadrature(transform::FieldTransform<T>& transform,
                                                const transform::MapField<T>& map, transform::AlmField<T>& alm,
                                                const std::vector<double>& map_squares, const FitWeights<T>& areas,
                                                double tolerance) {
  const comm::Communicator& comm = transform.comm();
  const std::size_t systems = systems_of(map);
  NormalEquations<T> equations(transform, areas);
  const auto correction = equations.make_alm();
  transform.quadrature(map, alm);
  const std::vector<double> first = inner_products(comm, alm, alm);
  std::vector<AnalysisOutcome> outcomes(systems);
  std::vector<bool> finished(systems, false);
  std::vector<double> before = first;
  while (std::ranges::find(finished, false) != finished.end()) {
    transform.delta().between_iterations();
    equations.subtract(map, alm, equations.scratch());
    const std::vector<double> left = areas.squares(comm, equations.scratch());
    transform.quadrature(equations.scratch(), *correction);
    const std::vector<double> squares = inner_products(comm, *correction, *correction);
    std::vector<double> factor(systems, 0.0);
    for (std::size_t k = 0; k < systems; ++k) {
      if (finished[k]) continue;
      AnalysisOutcome& outcome = outcomes[k];
      factor[k] = 1;
      ++outcome.iterations;
      outcome.normal_residual = first[k] > 0 ? std::sqrt(squares[k] / first[k]) : 0;
      outcome.alm_error = outcome.normal_residual;
      outcome.map_residual = map_squares[k] > 0 ? std::sqrt(left[k] / map_squares[k]) : 0;
      outcome.converged = *outcome.alm_error <= tolerance;
      finished[k] = outcome.converged || outcome.iterations == kMaxCorrections || squares[k] > 0.25 * before[k];
      before[k] = squares[k];
    }
    comm::phase(comm,
                [&] { combine_each(factor, *correction, std::vector<double>(systems, 1.0), alm, transform.memory()); });
  }
  return outcomes_of_maps(outcomes, map.maps());
}

}  // namespace

AccuracyRoute accuracy_route(const AccuracyTask& task) {
  const grid::AnalysisLimits& limits = task.grid.analysis_limits();
  const std::string& kind = task.grid.description().kind;
  const bool exact = (kind == "gauss" || kind == "reduced_gauss" || kind == "equiangular") &&
                     task.lmax <= limits.lmax && task.mmax <= limits.mmax && task.spin <= limits.spin;
  return exact ? AccuracyRoute::kExactQuadrature : AccuracyRoute::kConjugateGradients;
}

double healpix_min_eigenvalue(Index nside, Index lmax) {
  const auto n = static_cast<double>(nside);
  const double excess = std::max(0.0, static_cast<double>(lmax) / n - std::sqrt(6.0));
  return std::exp(-kAtTheLimit - kDecay * n * excess * excess);
}

Index healpix_accurate_lmax(Index nside, core::Precision precision, double tolerance) {
  const auto n = static_cast<double>(nside);
  const double budget = -std::log(needed_eigenvalue(precision, 3 * nside, tolerance)) - kAtTheLimit;
  const double excess = std::sqrt(std::max(0.0, budget) / (kDecay * n));
  return std::min(3 * nside - 1, static_cast<Index>(n * (std::sqrt(6.0) + excess)));
}

double min_accuracy(core::Precision precision, Index lmax) { return 5 * rounding(precision, lmax); }

std::string accuracy_advice(const AccuracyTask& task) {
  const grid::GridDescription& grid = task.grid.description();
  if (grid.is_full_healpix()) {
    const Index carried = healpix_accurate_lmax(grid.nside, task.precision, task.tolerance);
    return carried < task.lmax ? fmt::format("lower lmax to {}, which {} supports", carried, grid.text())
                               : "lower lmax";
  }
  if (grid.kind == "octahedral" && task.lmax > grid.nlat / 2)
    return fmt::format("lower lmax to about nlat / 2 = {}, which {} supports", grid.nlat / 2, grid.text());
  return "lower lmax";
}

void check_accuracy(const AccuracyTask& task) {
  const double least = min_accuracy(task.precision, task.lmax);
  if (!(task.tolerance >= least))
    throw core::InputError(
        core::ErrorContext{.text = fmt::format("is below the limit of {} precision at lmax = {}: use {:.2g} or more{}",
                                               core::precision_name(task.precision), task.lmax, least,
                                               task.precision == core::Precision::kSingle
                                                   ? ", or set " + core::mention("execution", "precision", "double")
                                                   : std::string())});
  if (accuracy_route(task) == AccuracyRoute::kExactQuadrature || !task.grid.description().is_full_healpix()) return;
  const Index nside = task.grid.description().nside;
  const Index carried = healpix_accurate_lmax(nside, task.precision, task.tolerance);
  if (task.lmax > carried)
    throw core::InputError(fmt::format(
        "cannot be reached at lmax = {}: the pixels of {} barely distinguish some harmonics. Lower lmax to {}, which "
        "it supports at this tolerance{}, or use a method with a fixed number of iterations",
        task.lmax, task.grid.description().text(), carried, task.tolerance < 1e-10 ? ", raise the tolerance" : ""));
}

template <class T>
std::vector<AnalysisOutcome> analysis_to_accuracy(transform::FieldTransform<T>& transform,
                                                  const transform::MapField<T>& map, transform::AlmField<T>& alm,
                                                  double tolerance, iteration::Checkpoint<T>* checkpoint) {
  const AccuracyTask task = task_of<T>(transform.spec(), tolerance);
  const FitWeights<T> areas(transform.comm(), map, PixelCount::kArea, {}, {});
  if (accuracy_route(task) == AccuracyRoute::kExactQuadrature)
    return solve_scaled<T>(transform.comm(), transform.memory(), areas, map, alm,
                           [&](const transform::MapField<T>& scaled, const std::vector<double>& squares) {
                             return checked_quadrature(transform, scaled, alm, squares, areas, tolerance);
                           });
  const double expected =
      task.grid.description().is_full_healpix() ? healpix_min_eigenvalue(task.grid.description().nside, task.lmax) : 1;
  const FitTarget target{[expected](const FitState& state, double first, double alm_square) {
                           const double eigenvalue = std::min(expected, state.ritz.least());
                           return std::sqrt(state.square / (alm_square > 0 ? alm_square : first)) / eigenvalue;
                         },
                         tolerance, kMaxFitIterations};
  check_counts(areas, transform.spec());
  NormalEquations<T> equations(transform, areas);
  return least_squares(equations, map, alm, FitAlgorithm::kConjugateGradients, target, {}, checkpoint);
}

ARMILLA_INSTANTIATE(analysis_to_accuracy);

}  // namespace armilla::ops
