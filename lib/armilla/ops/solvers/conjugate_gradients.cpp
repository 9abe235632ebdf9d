#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/fit_solver.hpp>

#include <algorithm>

namespace armilla::ops {

template <class T>
void conjugate_gradients(FitProblem<T>& problem, transform::AlmField<T>& alm, transform::AlmField<T>& g,
                         transform::AlmField<T>& z, transform::AlmField<T>& direction, std::vector<double>& beta,
                         std::vector<FitState>& states, Index most, const FitGoal& goal,
                         const BetweenIterations& between) {
  using Alm = transform::AlmField<T>;
  const std::size_t systems = states.size();
  const std::vector<double> ones(systems, 1.0);
  const auto combine = [&](const std::vector<double>& a, const Alm& x, const std::vector<double>& b, Alm& y) {
    comm::phase(problem.comm(), [&] { combine_each<Alm>(a, x, b, y, problem.memory()); });
  };
  while (std::ranges::any_of(states, &FitState::active)) {
    between();
    problem.multiply(direction, z);
    const std::vector<double> curvature = inner_products(problem.comm(), direction, z);
    std::vector<double> forward(systems, 0.0);
    std::vector<double> backward(systems, 0.0);
    for (std::size_t k = 0; k < systems; ++k) {
      if (!(curvature[k] > 0)) states[k].active = false;  // the pixels do not constrain the remaining directions
      if (!states[k].active) continue;
      forward[k] = states[k].square / curvature[k];
      backward[k] = -forward[k];
      states[k].ritz.add_step(forward[k], beta[k]);
    }
    combine(forward, direction, ones, alm);
    combine(backward, z, ones, g);
    problem.precondition(g, z);
    const std::vector<double> squares = inner_products(problem.comm(), g, z);
    std::vector<double> fresh(systems, 0.0);
    std::vector<double> kept(systems, 1.0);
    for (std::size_t k = 0; k < systems; ++k) {
      FitState& state = states[k];
      if (!state.active) continue;
      beta[k] = squares[k] / state.square;
      state.square = squares[k];
      ++state.iterations;
      state.active = squares[k] > 0 && state.iterations < most && !goal(k, state);
      if (!state.active) continue;
      fresh[k] = 1;
      kept[k] = beta[k];
    }
    combine(fresh, z, kept, direction);
  }
}

ARMILLA_INSTANTIATE(conjugate_gradients);

}  // namespace armilla::ops
