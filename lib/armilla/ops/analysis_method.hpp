#pragma once

#include <armilla/core/types.hpp>
#include <armilla/iteration/scheme.hpp>
#include <armilla/ops/analysis_weights.hpp>
#include <armilla/ops/solvers/fit_weights.hpp>
#include <armilla/ops/solvers/regularisation.hpp>

#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace armilla::ops {

/// alm = A map with the weights of the method, applied once.
struct Quadrature {
  friend bool operator==(const Quadrature&, const Quadrature&) = default;
};

/// alm = A map, then the requested number of times alm += A (map - Y alm), with the same weights each time (the
/// iteration of HEALPix and healpy).
struct Jacobi {
  Index iterations = 0;
  std::optional<iteration::Scheme> scheme = {};  ///< if empty, iteration::choose_scheme() selects it
  friend bool operator==(const Jacobi&, const Jacobi&) = default;
};

/// Like Jacobi, but each m in turn uses the residual after the previous m (iteration::Order::kImmediate). For the same
/// number of iterations, the result is closer to the map if rings have too few pixels to distinguish all m. Requires
/// per-ring weights.
struct Immediate {
  Index iterations = 0;
  friend bool operator==(const Immediate&, const Immediate&) = default;
};

/// The alm that minimise the sum over pixels of W (map - Y alm)^2, W = M N^-1 M from mask and inverse variance
/// (FitWeights), with an optional penalty. Without one, a fit with fewer data than unknowns is an error. Iterates until
/// the residual of the normal equations, Y^T W (map - Y alm), has decreased to `tolerance` times its value for alm = 0.
/// The criterion uses the norm of the preconditioner, for each spin field (T; Q with U) of each map.
struct LeastSquares {
  std::optional<double> tolerance = {};  ///< if empty, 1e-10 in double precision, 1e-4 in single
  Index max_iterations = 1000;
  PixelCount count = PixelCount::kUniform;
  std::vector<double> ring_inverse_variance = {};  ///< of all rings of the grid, or empty
  Regularisation regularise = {};                  ///< penalty, whose weights w are not relative
  friend bool operator==(const LeastSquares&, const LeastSquares&) = default;
};
struct ConjugateGradients : LeastSquares {};
struct Lsmr : LeastSquares {};

/// The method that determines the alm to the relative accuracy `tolerance` (solvers/accuracy.hpp).
struct Accuracy {
  double tolerance = 1e-10;
  friend bool operator==(const Accuracy&, const Accuracy&) = default;
};

/// One alternative for each analysis method; each has a file in solvers/.
using Solver = std::variant<Quadrature, Jacobi, Immediate, ConjugateGradients, Lsmr, Accuracy>;

/// Method of computing alm from a map.
struct AnalysisMethod {
  WeightsSpec weights;  ///< of Quadrature, Jacobi and Immediate
  Solver solver;

  friend bool operator==(const AnalysisMethod&, const AnalysisMethod&) = default;
  /// The solver as a fit; null if it is not a fit.
  const LeastSquares* fit() const {
    if (const auto* cg = std::get_if<ConjugateGradients>(&solver)) return cg;
    return std::get_if<Lsmr>(&solver);
  }
  /// The same, to change it.
  LeastSquares* fit() { return const_cast<LeastSquares*>(std::as_const(*this).fit()); }
  /// Number of transforms; an estimate for methods that iterate to convergence.
  Index transforms() const;
};

/// Outcome for one map of a solver that iterates to convergence. Each spin field (T; Q with U) is a separate problem;
/// the values are those of the worst one.
struct AnalysisOutcome {
  Index iterations = 0;
  /// Norm of the residual of the normal equations over that for alm = 0, computed from the alm; 0 for a map of zeros.
  double normal_residual = 0;
  /// Norm of map - Y alm relative to that of the map: rms over pixels with the weights of the fit.
  double map_residual = 0;
  /// Lower bound on the condition number of the preconditioned normal equations: the ratio of the extreme eigenvalues
  /// that the iterations have found.
  double condition = 1;
  Index condition_iterations = 0;  ///< of the spin field with that condition number
  /// Accuracy: estimated rms error of the alm over their rms.
  std::optional<double> alm_error = {};
  bool converged = false;
};

}  // namespace armilla::ops
