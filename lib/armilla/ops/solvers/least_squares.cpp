#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/map_faults.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/fit_counts.hpp>
#include <armilla/ops/solvers/fit_progress.hpp>
#include <armilla/ops/solvers/least_squares.hpp>
#include <armilla/ops/solvers/map_fit.hpp>
#include <armilla/ops/solvers/regularised_fit.hpp>
#include <armilla/ops/solvers/scaled_map.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace armilla::ops {

namespace {

// Iterations stop when the recursively updated residual is this fraction of the tolerance, so that the recomputed
// residual is below it.
constexpr double kMargin = 0.5;
// A round that reduces the residual by less than half has reached rounding error.
constexpr double kHelps = 0.5;

// At the start of a round: updates the outcomes, and marks systems that have finished.
void judge_round(FitProgress& at, const std::vector<double>& squares, const FitTarget& target) {
  for (std::size_t k = 0; k < squares.size(); ++k) {
    if (at.finished[k]) continue;
    FitState& state = at.states[k];
    state.square = squares[k];
    AnalysisOutcome& outcome = at.outcomes[k];
    const double first = at.first[k];
    const double reached = first > 0 ? target.reached(state, first, at.alm_squares[k]) : 0;
    outcome.converged = first == 0 || (at.round > 0 && reached <= target.tolerance);
    outcome.iterations = state.iterations;
    outcome.normal_residual = first > 0 ? std::sqrt(squares[k] / first) : 0;
    outcome.map_residual = at.data_squares[k] > 0 ? std::sqrt(at.left_squares[k] / at.data_squares[k]) : 0;
    outcome.alm_error = reached;
    outcome.condition = std::max(1.0, state.ritz.greatest() / state.ritz.least());
    at.finished[k] = outcome.converged || state.iterations >= target.max_iterations ||
                     (at.round > 1 && reached > kHelps * at.before[k]);
    if (at.round > 0) at.before[k] = reached;
    state.active = !at.finished[k];
  }
}

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
      worst.condition_iterations = other.iterations;
      continue;
    }
    if (other.condition > worst.condition) worst.condition_iterations = other.iterations;
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
                                           const FitTarget& target, iteration::Checkpoint<T>* checkpoint) {
  const comm::Communicator& comm = problem.comm();
  const std::size_t systems = problem.systems();
  const bool is_lsmr = algorithm == FitAlgorithm::kLsmr;
  const auto g = problem.make_alm();
  const auto z = problem.make_alm();
  const auto direction = is_lsmr ? nullptr : problem.make_alm();
  FitProgress at(systems);
  // Fields of a checkpoint. LSMR resumes from its coefficients alone.
  const std::vector<transform::AlmField<T>*> fields =
      is_lsmr ? std::vector{&alm} : std::vector{&alm, g.get(), direction.get()};
  const std::string solver = is_lsmr ? "lsmr" : "cg";
  const BetweenIterations between = [&] {
    if (checkpoint == nullptr) return problem.between_iterations();
    checkpoint->offer(solver, at.iterations(), fields, at.numbers());
  };
  const FitGoal goal = [&](std::size_t k, const FitState& state) {
    return target.reached(state, at.first[k], at.alm_squares[k]) <= kMargin * target.tolerance;
  };

  const auto kept = checkpoint == nullptr ? std::nullopt : checkpoint->take(solver, fields);
  bool goes_on = kept.has_value();
  if (goes_on) {
    at.take(*kept);
  } else {
    comm::phase(comm, [&] { std::ranges::fill(alm.data(), std::complex<T>{}); });
    at.left_squares = at.data_squares = problem.set_left(nullptr);
  }
  if (goes_on && is_lsmr) {
    at.left_squares = problem.set_left(&alm);
    ++at.round;
    // An interrupted round does not tell whether rounds still reduce the residual.
    at.before.assign(systems, std::numeric_limits<double>::infinity());
    goes_on = false;
  }
  for (;; ++at.round) {
    if (!goes_on) {
      problem.adjoint_of_left(*g);
      problem.precondition(*g, *z);
      const std::vector<double> squares = inner_products(comm, *g, *z);
      if (at.round == 0) at.first = squares;
      if (at.round > 0) at.alm_squares = inner_products(comm, alm, alm);
      judge_round(at, squares, target);
      if (std::ranges::find(at.finished, false) == at.finished.end())
        return outcomes_of_maps(at.outcomes, problem.maps());
      if (!is_lsmr) {
        at.beta.assign(systems, 0.0);
        comm::phase(comm, [&] { transform::combine(T{1}, *z, T{0}, *direction, problem.memory()); });
      }
    }
    goes_on = false;
    if (is_lsmr)
      lsmr(problem, alm, *g, *z, at.states, target.max_iterations, goal, between);
    else
      conjugate_gradients(problem, alm, *g, *z, *direction, at.beta, at.states, target.max_iterations, goal, between);
    at.left_squares = problem.set_left(&alm);
  }
}

template <class T>
std::vector<AnalysisOutcome> least_squares(NormalEquations<T>& equations, const transform::MapField<T>& map,
                                           transform::AlmField<T>& alm, FitAlgorithm algorithm, const FitTarget& target,
                                           const Regularisation& regularisation, iteration::Checkpoint<T>* checkpoint) {
  std::vector<double> scales;
  for (std::size_t s = 0; s < equations.systems(); ++s) scales.push_back(equations.weights().scale(s));
  return solve_scaled<T>(equations.comm(), equations.memory(), equations.weights(), map, alm,
                         [&](const transform::MapField<T>& scaled, const std::vector<double>& squares) {
                           MapFit<T> problem(equations, scaled, squares, algorithm == FitAlgorithm::kLsmr);
                           return fit_regularised<T>(problem, alm, algorithm, target, regularisation, scales,
                                                     checkpoint);
                         });
}

template <class T>
void check_counts(const FitWeights<T>& weights, const transform::FieldTransformSpec& spec) {
  const std::size_t spin_fields = spec.kind.spin_fields().size();
  std::vector<MapFault> faults;
  for (Index k = 0; k < weights.maps(); ++k)
    if (std::string text = count_fault(FitData::kPixels, spec.alm->layout(), spec.kind,
                                       [&](std::size_t s) { return weights.used(core::at(k) * spin_fields + s); });
        !text.empty())
      faults.push_back({k, std::move(text)});
  if (!faults.empty()) throw MapFaults(std::move(faults), FaultOf::kWeights, weights.maps());
}

template <class T>
std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                                           transform::AlmField<T>& alm, FitAlgorithm algorithm, const LeastSquares& fit,
                                           const FitMaps<T>& maps, iteration::Checkpoint<T>* checkpoint) {
  const FitWeights<T> weights(transform.comm(), map, fit.count, fit.ring_inverse_variance, maps);
  if (!fit.regularise.any()) check_counts(weights, transform.spec());
  NormalEquations<T> equations(transform, weights);
  std::vector<AnalysisOutcome> outcomes =
      least_squares(equations, map, alm, algorithm, residual_target<T>(fit), fit.regularise, checkpoint);
  for (AnalysisOutcome& outcome : outcomes) outcome.alm_error.reset();
  return outcomes;
}

template <class T>
core::MemoryEstimate least_squares_memory(const transform::FieldTransformSpec& spec, int rank, FitAlgorithm algorithm,
                                          const Regularisation& regularisation, const FitMapsShape& shape) {
  const bool is_lsmr = algorithm == FitAlgorithm::kLsmr;
  // Sums of blocks: one block for each ring, or for each 4096 values.
  const auto rings = static_cast<Index>(spec.pixels->local_rings(rank).size());
  const Index sums = spec.kind.components() * spec.maps * (2 * rings + spec.alm->local_size(rank) / 4096 + 1) * 4 *
                     static_cast<Index>(sizeof(double));
  core::MemoryEstimate memory =
      spec.map_memory<T>(rank) + fit_vectors(algorithm, regularisation) * spec.alm_memory<T>(rank) +
      iteration::RingNormal<T>::memory(spec) + FitWeights<T>::memory(*spec.pixels, rank, shape);
  // LSMR stores maps, or ring modes if the weights have no maps.
  if (is_lsmr) memory += shape.maps == 0 ? iteration::RingModes<T>::memory(spec, rank) : spec.map_memory<T>(rank);
  const Index fields = spec.maps * spec.kind.components();
  return {.workspace = memory.peak() + sums + penalty_bytes(regularisation, fields, spec.alm->layout().lmax())};
}

ARMILLA_INSTANTIATE(fit_in_rounds);
template std::vector<AnalysisOutcome> least_squares(NormalEquations<float>&, const transform::MapField<float>&,
                                                    transform::AlmField<float>&, FitAlgorithm, const FitTarget&,
                                                    const Regularisation&, iteration::Checkpoint<float>*);
template std::vector<AnalysisOutcome> least_squares(NormalEquations<double>&, const transform::MapField<double>&,
                                                    transform::AlmField<double>&, FitAlgorithm, const FitTarget&,
                                                    const Regularisation&, iteration::Checkpoint<double>*);
template std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<float>&,
                                                    const transform::MapField<float>&, transform::AlmField<float>&,
                                                    FitAlgorithm, const LeastSquares&, const FitMaps<float>&,
                                                    iteration::Checkpoint<float>*);
template std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<double>&,
                                                    const transform::MapField<double>&, transform::AlmField<double>&,
                                                    FitAlgorithm, const LeastSquares&, const FitMaps<double>&,
                                                    iteration::Checkpoint<double>*);
ARMILLA_INSTANTIATE(check_counts);
ARMILLA_INSTANTIATE(least_squares_memory);

}  // namespace armilla::ops
