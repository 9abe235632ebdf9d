#pragma once

#include <armilla/ops/solvers/fit_problem.hpp>
#include <armilla/ops/solvers/ritz.hpp>

#include <functional>
#include <vector>

namespace armilla::ops {

/// State of the fit of one system of a batch (batch_vectors.hpp).
struct FitState {
  bool active = false;  ///< still iterates; the data of inactive systems does not change
  Index iterations = 0;
  double square = 0;  ///< g^T P g of the residual g = Y^T W (map - Y alm) of the normal equations
  RitzValues ritz;    ///< of P Y^T W Y
};

/// Whether a system may stop.
using FitGoal = std::function<bool(std::size_t system, const FitState& state)>;

/// Called collectively by both solvers before each iteration, when their fields and states permit a restart.
using BetweenIterations = std::function<void()>;

/// Collective. Preconditioned conjugate gradients on the normal equations (Hestenes & Stiefel 1952). Improves `alm` for
/// each active system until it reaches the goal, `most` iterations, or a breakdown. On entry `g` is the residual of the
/// normal equations, `direction` is P g and beta is 0, or all of them are as between two iterations. z is scratch.
template <class T>
void conjugate_gradients(FitProblem<T>& problem, transform::AlmField<T>& alm, transform::AlmField<T>& g,
                         transform::AlmField<T>& z, transform::AlmField<T>& direction, std::vector<double>& beta,
                         std::vector<FitState>& states, Index most, const FitGoal& goal,
                         const BetweenIterations& between);

/// Collective. LSMR (Fong & Saunders 2011) on W^1/2 Y, with Y^T W Y preconditioned by P. Golub-Kahan steps use
/// coefficient vectors orthogonal under 1/P and data vectors under W. Like conjugate_gradients(), it starts from the
/// residual `g` and z = P g, and overwrites both. It overwrites the residual of the data (FitProblem::vector_of_left).
/// Allocates three fields of coefficients.
template <class T>
void lsmr(FitProblem<T>& problem, transform::AlmField<T>& alm, transform::AlmField<T>& g, transform::AlmField<T>& z,
          std::vector<FitState>& states, Index most, const FitGoal& goal, const BetweenIterations& between);

}  // namespace armilla::ops
