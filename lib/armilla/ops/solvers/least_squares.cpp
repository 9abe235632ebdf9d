#include <armilla/comm/phase.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/least_squares.hpp>
#include <armilla/ops/solvers/map_fit.hpp>
#include <armilla/ops/solvers/scaled_map.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace armilla::ops {

namespace {

// What iterations carry along comes to this share of the tolerance, so that what is recomputed after them is below
// it.
constexpr double kMargin = 0.5;
// A round that does not even halve what is left has come to rounding.
constexpr double kHelps = 0.5;

}  // namespace

FitAlgorithm algorithm_of(const AnalysisMethod& method) {
  return std::holds_alternative<Lsmr>(method.solver) ? FitAlgorithm::kLsmr : FitAlgorithm::kConjugateGradients;
}

std::vector<AnalysisOutcome> outcomes_of_maps(std::span<const AnalysisOutcome> systems, Index maps) {
  std::vector<AnalysisOutcome> outcomes(static_cast<std::size_t>(maps));
  const std::size_t spin_fields = systems.size() / outcomes.size();
  for (std::size_t s = 0; s < systems.size(); ++s) {
    AnalysisOutcome& worst = outcomes[s / spin_fields];
    const AnalysisOutcome& other = systems[s];
    if (s % spin_fields == 0) {
      worst = other;
      continue;
    }
    worst.iterations = std::max(worst.iterations, other.iterations);
    worst.normal_residual = std::max(worst.normal_residual, other.normal_residual);
    worst.map_residual = std::max(worst.map_residual, other.map_residual);
    worst.condition = std::max(worst.condition, other.condition);
    if (other.alm_error) worst.alm_error = std::max(worst.alm_error.value_or(0), *other.alm_error);
    worst.converged = worst.converged && other.converged;
  }
  return outcomes;
}

template <class T>
std::vector<AnalysisOutcome> fit_in_rounds(FitProblem<T>& problem, transform::AlmField<T>& alm, FitAlgorithm algorithm,
                                           const FitTarget& target) {
  const comm::Communicator& comm = problem.comm();
  const std::size_t systems = problem.systems();
  const auto g = problem.make_alm();
  const auto z = problem.make_alm();

  comm::phase(comm, [&] { std::ranges::fill(alm.data(), std::complex<T>{}); });
  const std::vector<double> data_squares = problem.set_left(nullptr);
  std::vector<double> left_squares = data_squares;
  std::vector<FitState> states(systems);
  std::vector<AnalysisOutcome> outcomes(systems);
  std::vector<double> first(systems, 0.0);
  std::vector<double> before(systems, std::numeric_limits<double>::infinity());
  std::vector<double> alm_squares(systems, 0.0);
  std::vector<bool> finished(systems, false);
  const FitGoal goal = [&](std::size_t k, const FitState& state) {
    return target.reached(state, first[k], alm_squares[k]) <= kMargin * target.tolerance;
  };
  for (Index round = 0;; ++round) {
    problem.adjoint_of_left(*g);
    problem.precondition(*g, *z);
    const std::vector<double> squares = inner_products(comm, *g, *z);
    if (round == 0) first = squares;
    if (round > 0) alm_squares = inner_products(comm, alm, alm);
    for (std::size_t k = 0; k < systems; ++k) {
      if (finished[k]) continue;
      FitState& state = states[k];
      state.square = squares[k];
      AnalysisOutcome& outcome = outcomes[k];
      const double reached = first[k] > 0 ? target.reached(state, first[k], alm_squares[k]) : 0;
      outcome.converged = first[k] == 0 || (round > 0 && reached <= target.tolerance);
      outcome.iterations = state.iterations;
      outcome.normal_residual = first[k] > 0 ? std::sqrt(squares[k] / first[k]) : 0;
      outcome.map_residual = data_squares[k] > 0 ? std::sqrt(left_squares[k] / data_squares[k]) : 0;
      outcome.alm_error = reached;
      outcome.condition = std::max(1.0, state.ritz.greatest() / state.ritz.least());
      finished[k] =
          outcome.converged || state.iterations >= target.max_iterations || (round > 1 && reached > kHelps * before[k]);
      if (round > 0) before[k] = reached;
      state.active = !finished[k];
    }
    if (std::ranges::find(finished, false) == finished.end()) return outcomes_of_maps(outcomes, problem.maps());
    if (algorithm == FitAlgorithm::kLsmr)
      lsmr(problem, alm, *g, *z, states, target.max_iterations, goal);
    else
      conjugate_gradients(problem, alm, *g, *z, states, target.max_iterations, goal);
    left_squares = problem.set_left(&alm);
  }
}

template <class T>
std::vector<AnalysisOutcome> least_squares(NormalEquations<T>& equations, const transform::MapField<T>& map,
                                           transform::AlmField<T>& alm, FitAlgorithm algorithm,
                                           const FitTarget& target) {
  return solve_scaled<T>(equations.comm(), equations.memory(), equations.weights(), map, alm,
                         [&](const transform::MapField<T>& scaled, const std::vector<double>& squares) {
                           MapFit<T> problem(equations, scaled, squares, algorithm == FitAlgorithm::kLsmr);
                           return fit_in_rounds(problem, alm, algorithm, target);
                         });
}

template <class T>
std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                                           transform::AlmField<T>& alm, FitAlgorithm algorithm, const LeastSquares& fit,
                                           const FitMaps<T>& maps) {
  const FitWeights<T> weights(transform.comm(), map, fit.count, fit.ring_inverse_variance, maps);
  NormalEquations<T> equations(transform, weights);
  std::vector<AnalysisOutcome> outcomes = least_squares(equations, map, alm, algorithm, residual_target<T>(fit));
  for (AnalysisOutcome& outcome : outcomes) outcome.alm_error.reset();
  return outcomes;
}

template <class T>
core::MemoryEstimate least_squares_memory(const transform::FieldTransformSpec& spec, int rank, FitAlgorithm algorithm,
                                          const FitMapsShape& shape) {
  const bool is_lsmr = algorithm == FitAlgorithm::kLsmr;
  // Sums by blocks: one for each ring, or each few thousand numbers.
  const auto rings = static_cast<Index>(spec.pixels->local_rings(rank).size());
  const Index sums = spec.kind.components() * spec.maps * (2 * rings + spec.alm->local_size(rank) / 4096 + 1) * 4 *
                     static_cast<Index>(sizeof(double));
  core::MemoryEstimate memory = spec.map_memory<T>(rank) + Index{is_lsmr ? 5 : 3} * spec.alm_memory<T>(rank) +
                                iteration::RingNormal<T>::memory(spec) +
                                FitWeights<T>::memory(*spec.pixels, rank, shape);
  // Maps of LSMR, or their ring modes where no map weighs them.
  if (is_lsmr) memory += shape.maps == 0 ? iteration::RingModes<T>::memory(spec, rank) : spec.map_memory<T>(rank);
  return {.workspace = memory.peak() + sums};
}

template std::vector<AnalysisOutcome> fit_in_rounds(FitProblem<float>&, transform::AlmField<float>&, FitAlgorithm,
                                                    const FitTarget&);
template std::vector<AnalysisOutcome> fit_in_rounds(FitProblem<double>&, transform::AlmField<double>&, FitAlgorithm,
                                                    const FitTarget&);
template std::vector<AnalysisOutcome> least_squares(NormalEquations<float>&, const transform::MapField<float>&,
                                                    transform::AlmField<float>&, FitAlgorithm, const FitTarget&);
template std::vector<AnalysisOutcome> least_squares(NormalEquations<double>&, const transform::MapField<double>&,
                                                    transform::AlmField<double>&, FitAlgorithm, const FitTarget&);
template std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<float>&,
                                                    const transform::MapField<float>&, transform::AlmField<float>&,
                                                    FitAlgorithm, const LeastSquares&, const FitMaps<float>&);
template std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<double>&,
                                                    const transform::MapField<double>&, transform::AlmField<double>&,
                                                    FitAlgorithm, const LeastSquares&, const FitMaps<double>&);
template core::MemoryEstimate least_squares_memory<float>(const transform::FieldTransformSpec&, int, FitAlgorithm,
                                                          const FitMapsShape&);
template core::MemoryEstimate least_squares_memory<double>(const transform::FieldTransformSpec&, int, FitAlgorithm,
                                                           const FitMapsShape&);

}  // namespace armilla::ops
