#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/fit_solver.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::ops {

namespace {

// The scalars of one system, named as in Fong & Saunders 2011, section 2.3, including the suffixes `_bar` and `_old`.
struct Rotations {
  double alpha = 0, alpha_bar = 0, zeta_bar = 0;
  double coupling = 0;  // of the Lanczos matrix B^T B
  double rho = 1, rho_bar = 1, c_bar = 1, s_bar = 0;

  // Factors of the updates h_bar = h - a h_bar, alm += b h_bar, h = v - c h.
  struct Steps {
    double h_bar, alm, h;
  };

  // One iteration, from beta and alpha of the next Golub-Kahan vectors.
  Steps turn(double beta, double alpha_next) {
    const double rho_old = rho;
    const double rho_bar_old = rho_bar;
    rho = std::hypot(alpha_bar, beta);
    const double c = alpha_bar / rho;
    const double s = beta / rho;
    const double theta = s * alpha_next;
    alpha_bar = c * alpha_next;
    const double theta_bar = s_bar * rho;
    const double c_rho = c_bar * rho;
    rho_bar = std::hypot(c_rho, theta);
    c_bar = c_rho / rho_bar;
    s_bar = theta / rho_bar;
    const double zeta = c_bar * zeta_bar;
    zeta_bar = -s_bar * zeta_bar;
    alpha = alpha_next;
    return {theta_bar * rho / (rho_old * rho_bar_old), zeta / (rho * rho_bar), theta / rho};
  }
};

double inverse(double x) { return x > 0 ? 1 / x : 0; }

}  // namespace

template <class T>
void lsmr(FitProblem<T>& problem, transform::AlmField<T>& alm, transform::AlmField<T>& g, transform::AlmField<T>& z,
          std::vector<FitState>& states, Index most, const FitGoal& goal, const BetweenIterations& between) {
  using Alm = transform::AlmField<T>;
  const std::size_t systems = states.size();
  const std::vector<double> ones(systems, 1.0);
  const std::vector<double> zeros(systems, 0.0);
  const auto combine = [&](const std::vector<double>& a, const auto& x, const std::vector<double>& b, auto& y) {
    comm::phase(problem.comm(), [&] { combine_each(a, x, b, y, problem.memory()); });
  };
  const auto v = problem.make_alm();
  const auto h = problem.make_alm();
  const auto h_bar = problem.make_alm();

  // u = left / beta under W; p = Y^T W u / alpha, v = P p, normalised together.
  const auto u = problem.vector_of_left();
  Alm& p = g;
  std::vector<Rotations> turns(systems);
  const std::vector<double> first = u->squares();
  std::vector<double> by_beta(systems, 1.0);
  std::vector<double> by_both(systems, 1.0);
  for (std::size_t k = 0; k < systems; ++k) {
    if (!states[k].active) continue;
    const double beta = std::sqrt(first[k]);
    const double both = std::sqrt(states[k].square);
    by_beta[k] = inverse(beta);
    by_both[k] = inverse(both);
    turns[k].alpha = turns[k].alpha_bar = both * by_beta[k];
    turns[k].zeta_bar = both;
  }
  u->scale(by_beta);
  combine(zeros, p, by_both, p);
  combine(by_both, z, zeros, *v);
  combine(ones, *v, zeros, *h);

  while (std::ranges::any_of(states, &FitState::active)) {
    between();
    std::vector<double> minus(systems, 0.0);
    std::vector<double> keep(systems, 1.0);
    const auto set = [&](std::vector<double>& values, const auto& value) {
      for (std::size_t k = 0; k < systems; ++k)
        if (states[k].active) values[k] = value(k);
    };
    // u = Y v - alpha u, normalised.
    std::vector<bool> active;
    std::vector<double> one(systems, 0.0);
    for (std::size_t k = 0; k < systems; ++k) {
      active.push_back(states[k].active);
      if (!states[k].active) continue;
      one[k] = 1;
      minus[k] = turns[k].alpha;
    }
    u->advance(*v, minus, active);
    std::vector<double> beta = u->squares();
    for (double& b : beta) b = std::sqrt(b);
    keep = ones;
    set(keep, [&](std::size_t k) { return inverse(beta[k]); });
    u->scale(keep);
    // p = Y^T W u - beta p, v = P p, normalised.
    u->adjoint(z);
    set(keep, [&](std::size_t k) { return -beta[k]; });
    combine(one, z, keep, p);
    problem.precondition(p, *v);
    std::vector<double> alpha = inner_products(problem.comm(), p, *v);
    for (double& a : alpha) a = std::sqrt(std::max(a, 0.0));
    keep = ones;
    set(keep, [&](std::size_t k) { return inverse(alpha[k]); });
    combine(zeros, p, keep, p);
    combine(zeros, *v, keep, *v);

    std::vector<double> of_h_bar(systems, 1.0);
    std::vector<double> of_alm(systems, 0.0);
    std::vector<double> of_h(systems, 1.0);
    for (std::size_t k = 0; k < systems; ++k) {
      FitState& state = states[k];
      if (!state.active) continue;
      state.ritz.add_row(turns[k].alpha * turns[k].alpha + beta[k] * beta[k], turns[k].coupling);
      turns[k].coupling = alpha[k] * beta[k];
      const Rotations::Steps steps = turns[k].turn(beta[k], alpha[k]);
      of_h_bar[k] = -steps.h_bar;
      of_alm[k] = steps.alm;
      of_h[k] = -steps.h;
    }
    combine(one, *h, of_h_bar, *h_bar);
    combine(of_alm, *h_bar, ones, alm);
    combine(one, *v, of_h, *h);
    for (std::size_t k = 0; k < systems; ++k) {
      FitState& state = states[k];
      if (!state.active) continue;
      state.square = turns[k].zeta_bar * turns[k].zeta_bar;
      ++state.iterations;
      state.active = beta[k] > 0 && alpha[k] > 0 && state.iterations < most && !goal(k, state);
    }
  }
}

ARMILLA_INSTANTIATE(lsmr);

}  // namespace armilla::ops
