#pragma once

#include <armilla/ops/analysis_method.hpp>
#include <armilla/ops/solvers/fit_solver.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

/// State of a fit in rounds, for all systems of a batch, without fields.
struct FitProgress {
  Index round = 0;
  std::vector<FitState> states;
  std::vector<AnalysisOutcome> outcomes;
  std::vector<double> data_squares, left_squares;  ///< of the data, and of their residual
  std::vector<double> first;                       ///< FitState::square at the start
  std::vector<double> before;                      ///< value of the criterion in the previous round
  std::vector<double> alm_squares;
  std::vector<double> beta;  ///< of conjugate gradients: the coefficient of the previous direction in the next one
  std::vector<bool> finished;

  explicit FitProgress(std::size_t systems);
  /// Largest number of iterations of a system.
  Index iterations() const;

  /// Convert the state to values and back. take() throws InternalError for another number of systems.
  std::vector<double> numbers() const;
  void take(std::span<const double> numbers);
};

}  // namespace armilla::ops
