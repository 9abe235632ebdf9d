#pragma once

#include <armilla/iteration/checkpoint.hpp>
#include <armilla/ops/analysis_method.hpp>
#include <armilla/ops/solvers/fit_solver.hpp>
#include <armilla/ops/solvers/normal_equations.hpp>
#include <armilla/ops/solvers/regularisation.hpp>

#include <cmath>
#include <functional>
#include <span>
#include <vector>

namespace armilla::ops {

enum class FitAlgorithm { kConjugateGradients, kLsmr };

/// Returns the algorithm of a method that is a fit.
FitAlgorithm algorithm_of(const AnalysisMethod& method);

/// For each map, the worst outcome of its spin fields; `systems` are [map][spin field].
std::vector<AnalysisOutcome> outcomes_of_maps(std::span<const AnalysisOutcome> systems, Index maps);

/// Convergence criterion of a fit.
struct FitTarget {
  /// The value compared with `tolerance`, computed from the state of a system, the same square at the start, and the
  /// square of the norm of the alm.
  std::function<double(const FitState& state, double first_square, double alm_square)> reached;
  double tolerance = 0;
  Index max_iterations = 0;
};

/// Collective. Fits `alm`, starting from zero, with a solver in rounds. When all systems of the batch have stopped,
/// residuals are recomputed from the coefficients, because the recursively updated ones drift by rounding. Systems
/// whose recomputed residual exceeds the tolerance continue, as long as rounds improve it. Each system has its own
/// steps and stop. `checkpoint` stores the state between iterations, from which a later fit resumes; it may be null.
/// Resumed conjugate gradients are bitwise identical to an uninterrupted fit; LSMR starts a new round from the stored
/// coefficients.
template <class T>
std::vector<AnalysisOutcome> fit_in_rounds(FitProblem<T>& problem, transform::AlmField<T>& alm, FitAlgorithm algorithm,
                                           const FitTarget& target, iteration::Checkpoint<T>* checkpoint = nullptr);

/// Collective. Fits maps; each system is bitwise identical to a separate fit. Throws MapFaults if maps have values that
/// are not finite.
template <class T>
std::vector<AnalysisOutcome> least_squares(NormalEquations<T>& equations, const transform::MapField<T>& map,
                                           transform::AlmField<T>& alm, FitAlgorithm algorithm, const FitTarget& target,
                                           const Regularisation& regularisation = {},
                                           iteration::Checkpoint<T>* checkpoint = nullptr);

/// Not collective. Throws MapFaults for the weights, identically on all ranks, if maps have fewer used values than
/// unknowns, for a fit without regularisation.
template <class T>
void check_counts(const FitWeights<T>& weights, const transform::FieldTransformSpec& spec);

/// Collective. Fits as specified by `fit`, with weights from the maps. Also throws MapFaults like check_counts() if
/// there is no regularisation.
template <class T>
std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                                           transform::AlmField<T>& alm, FitAlgorithm algorithm, const LeastSquares& fit,
                                           const FitMaps<T>& maps, iteration::Checkpoint<T>* checkpoint = nullptr);

/// The default tolerance of a fit, and the smallest that can be requested: residuals of transforms in that precision
/// are not smaller.
template <class T>
constexpr double default_fit_tolerance() {
  return sizeof(T) == 4 ? 1e-4 : 1e-10;
}
template <class T>
constexpr double min_fit_tolerance() {
  return sizeof(T) == 4 ? 2e-6 : 1e-13;
}

/// The criterion of a fit: the residual of the normal equations relative to that for alm = 0.
template <class T>
FitTarget residual_target(const LeastSquares& fit) {
  return {[](const FitState& state, double first, double) { return std::sqrt(state.square / first); },
          fit.tolerance.value_or(default_fit_tolerance<T>()), fit.max_iterations};
}

/// Memory of a fit on `rank`; `shape` as for FitWeights::memory().
template <class T>
core::MemoryEstimate least_squares_memory(const transform::FieldTransformSpec& spec, int rank, FitAlgorithm algorithm,
                                          const Regularisation& regularisation, const FitMapsShape& shape);

}  // namespace armilla::ops
