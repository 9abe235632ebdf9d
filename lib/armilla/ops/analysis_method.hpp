#pragma once

#include <armilla/core/types.hpp>
#include <armilla/iteration/scheme.hpp>
#include <armilla/ops/analysis_weights.hpp>
#include <armilla/ops/solvers/fit_weights.hpp>

#include <optional>
#include <variant>
#include <vector>

namespace armilla::ops {

/// alm = A map with the weights of the method, once.
struct Quadrature {
  friend bool operator==(const Quadrature&, const Quadrature&) = default;
};

/// alm = A map, then alm += A (map - Y alm) as often as asked, with the same weights each time (the iteration of
/// HEALPix and healpy).
struct Jacobi {
  Index iterations = 0;
  std::optional<iteration::Scheme> scheme = {};  ///< none: iteration::choose_scheme() has the choice
  friend bool operator==(const Jacobi&, const Jacobi&) = default;
};

/// Likewise, but each m in turn sees what the ones before left of the map (iteration::Order::kImmediate): closer
/// to the map after as many iterations where rings have too few pixels to tell all m apart. With weights of rings.
struct Immediate {
  Index iterations = 0;
  friend bool operator==(const Immediate&, const Immediate&) = default;
};

/// The alm for which the sum over pixels of W (map - Y alm)^2 is least, W = M N^-1 M of mask and inverse variance
/// (FitWeights). Iterates until the residual of the normal equations, Y^T W (map - Y alm), has fallen to `tolerance` of
/// what it is for alm = 0, in the norm of the preconditioner, for each spin field (T; Q with U) of each map.
struct LeastSquares {
  std::optional<double> tolerance = {};  ///< none: 1e-10 in double precision, 1e-4 in single
  Index max_iterations = 1000;
  PixelCount count = PixelCount::kUniform;
  std::vector<double> ring_inverse_variance = {};  ///< of all rings of the grid, or empty
  friend bool operator==(const LeastSquares&, const LeastSquares&) = default;
};
struct ConjugateGradients : LeastSquares {};
struct Lsmr : LeastSquares {};

/// Whatever it takes to know the alm to `tolerance`, relative to all of them (solvers/accuracy.hpp).
struct Accuracy {
  double tolerance = 1e-10;
  friend bool operator==(const Accuracy&, const Accuracy&) = default;
};

/// One alternative for each way to find coefficients; one file for each in solvers/.
using Solver = std::variant<Quadrature, Jacobi, Immediate, ConjugateGradients, Lsmr, Accuracy>;

/// How alm are found from a map.
struct AnalysisMethod {
  WeightsSpec weights;  ///< of Quadrature, Jacobi and Immediate
  Solver solver;

  friend bool operator==(const AnalysisMethod&, const AnalysisMethod&) = default;
  /// The solver as a fit; null if it is none.
  const LeastSquares* fit() const {
    if (const auto* cg = std::get_if<ConjugateGradients>(&solver)) return cg;
    return std::get_if<Lsmr>(&solver);
  }
  /// How many transforms it takes; a guess where it iterates until something is reached.
  Index transforms() const;
};

/// What was reached for one map by a solver that iterates until something is reached; of the worst of its spin fields
/// (T; Q with U), for each spin field is a problem of its own.
struct AnalysisOutcome {
  Index iterations = 0;
  /// Norm of the residual of the normal equations over that for alm = 0, computed from the alm; 0 for a map of zeros.
  double normal_residual = 0;
  /// Of map - Y alm over that of the map: rms over pixels with the weights of the fit.
  double map_residual = 0;
  /// Greatest over least eigenvalue of the preconditioned normal equations, as far as the iterations saw them.
  double condition = 1;
  /// Accuracy: estimated rms error of the alm over their rms.
  std::optional<double> alm_error = {};
  bool converged = false;
};

}  // namespace armilla::ops
