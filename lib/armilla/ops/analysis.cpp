#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/solvers/accuracy.hpp>
#include <armilla/ops/solvers/least_squares.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>  // clang before 17 requires this deduction guide
Overloaded(Cases...)->Overloaded<Cases...>;

using Outcomes = std::vector<AnalysisOutcome>;

// Assumed number of iterations of a fit, whose actual number is unknown in advance; used to report progress.
constexpr Index kGuessedIterations = 20;

}  // namespace

Index AnalysisMethod::transforms() const {
  const auto of_fit = [](const LeastSquares& fit) { return 2 * std::min(fit.max_iterations, kGuessedIterations) + 3; };
  return std::visit(Overloaded{[](const Quadrature&) { return Index{1}; },
                               [](const Jacobi& jacobi) { return 1 + 2 * jacobi.iterations; },
                               [](const Immediate& immediate) { return 1 + 2 * immediate.iterations; },
                               [&](const ConjugateGradients& cg) { return of_fit(cg); },
                               [&](const Lsmr& lsmr) { return of_fit(lsmr); },
                               [](const Accuracy&) { return 2 * kGuessedIterations + 3; }},
                    solver);
}

std::optional<iteration::IterationSpec> iterations_of(const AnalysisMethod& method, const grid::RingGrid& grid,
                                                      Index lmax) {
  iteration::IterationSpec iterations;
  iterations.ring_weights = grid.has_weights() && AnalysisWeights::are_of_rings(method.weights, grid, lmax);
  if (const auto* jacobi = std::get_if<Jacobi>(&method.solver)) {
    iterations.count = jacobi->iterations;
    iterations.scheme = jacobi->scheme;
  } else if (const auto* immediate = std::get_if<Immediate>(&method.solver)) {
    iterations.order = iteration::Order::kImmediate;
    iterations.count = immediate->iterations;
  } else if (!std::holds_alternative<Quadrature>(method.solver)) {
    return std::nullopt;
  }
  return iterations;
}

namespace {

std::optional<iteration::IterationSpec> iterations_of(const AnalysisMethod& method,
                                                      const transform::FieldTransformSpec& spec) {
  return ops::iterations_of(method, spec.pixels->grid(), spec.alm->layout().lmax());
}

// Ring weights of equiangular grids are exact only up to about half of the degree that the rings determine.
void check_ring_weights(const grid::RingGrid& grid, Index lmax) {
  const grid::AnalysisLimits& limits = grid.analysis_limits();
  if (limits.circle.points > 0 && lmax > limits.weights_lmax)
    throw core::InputError(fmt::format(
        "ring weights are exact on {} only up to lmax = {}, not {}: use quadrature, which is exact up to {} = {}",
        grid.description().text(), limits.weights_lmax, lmax, limits.lmax_rule, limits.lmax));
}

void check_immediate(const WeightsSpec& weights, const grid::RingGrid& grid, Index lmax) {
  if (AnalysisWeights::are_of_rings(weights, grid, lmax)) return;
  if (weights.kind == WeightKind::kPixel)
    throw core::InputError(
        "pixel weights cannot be combined with the immediate iteration, which works on whole rings: "
        "use ring weights");
  check_ring_weights(grid, lmax);
  throw core::InputError(fmt::format(
      "the immediate iteration requires one weight per ring, but the quadrature of {} combines rings: use ring "
      "weights if the maps have no power above lmax = {}, or use quadrature",
      grid.description().text(), lmax));
}

}  // namespace

void check_method(const AnalysisMethod& method, const transform::FieldTransformSpec& spec) {
  const grid::RingGrid& grid = spec.pixels->grid();
  const Index lmax = spec.alm->layout().lmax();
  if (method.weights.kind == WeightKind::kRing) check_ring_weights(grid, lmax);
  if (std::holds_alternative<Immediate>(method.solver)) check_immediate(method.weights, grid, lmax);
  if (const auto iterations = iterations_of(method, spec)) iteration::choose_scheme(spec, *iterations);
}

template <class T>
Analysis<T>::Analysis(transform::FieldTransform<T>& transform, AnalysisMethod method, core::PhaseTimers* timers)
    : transform_(transform), method_(std::move(method)), weights_([&] {
        check_method(method_, transform.spec());  // first, because computing the weights may take long
        std::optional<core::ScopedPhase> timer;
        if (timers != nullptr) timer.emplace(*timers, "weights");
        return AnalysisWeights(transform.comm(), transform.spec().pixels, method_.weights);
      }()) {
  const transform::FieldTransformSpec& spec = transform.spec();
  const auto iterations = iterations_of(method_, spec);
  if (!iterations) return;
  corrections_ = iterations->count;
  iteration::AnalysisOperator<T> quadrature;
  quadrature.apply = [this](const transform::MapField<T>& map, transform::AlmField<T>& alm,
                            transform::MapField<T>* scratch) { weights_.quadrature(transform_, map, alm, scratch); };
  quadrature.needs_scratch = weights_.needs_scratch();
  if (iterations->ring_weights) quadrature.ring_weights = weights_.of_rings(spec.pixels->grid());
  iteration_ = iteration::make_iteration(transform, *iterations, std::move(quadrature));
}

template <class T>
Outcomes Analysis<T>::run(const transform::MapField<T>& map, transform::AlmField<T>& alm, const FitMaps<T>& maps,
                          iteration::Checkpoint<T>* checkpoint) {
  transform_.check(alm, map);
  if (iteration_) {
    iteration_->analyse(map, corrections_, alm, checkpoint);
    return {};
  }
  if (const auto* accuracy = std::get_if<Accuracy>(&method_.solver))
    return analysis_to_accuracy(transform_, map, alm, accuracy->tolerance, checkpoint);
  return least_squares(transform_, map, alm, algorithm_of(method_), *method_.fit(), maps, checkpoint);
}

template <class T>
core::MemoryEstimate Analysis<T>::memory(const transform::FieldTransformSpec& spec, int rank,
                                         const AnalysisMethod& method, const FitMapsShape& shape) {
  const core::MemoryEstimate weights = AnalysisWeights::memory(*spec.pixels, method.weights, rank);
  core::MemoryEstimate solver;
  if (const auto iterations = iterations_of(method, spec))
    solver = iteration::iteration_memory<T>(spec, rank, *iterations, AnalysisWeights::needs_scratch(method.weights));
  else
    solver = least_squares_memory<T>(spec, rank, algorithm_of(method),
                                     method.fit() == nullptr ? Regularisation() : method.fit()->regularise, shape);
  // The workspaces of weights and solver are not used at the same time.
  return {.tables = weights.tables + solver.tables,
          .kept = solver.kept,
          .workspace = std::max(solver.workspace, weights.workspace - solver.held())};
}

ARMILLA_INSTANTIATE_CLASS(Analysis);

}  // namespace armilla::ops
