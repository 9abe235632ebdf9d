#pragma once

#include <armilla/ops/analysis_method.hpp>
#include <armilla/ops/solvers/fit_solver.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

/// Where a fit in rounds stands, of all systems of a batch: what it keeps besides fields.
struct FitProgress {
  Index round = 0;
  std::vector<FitState> states;
  std::vector<AnalysisOutcome> outcomes;
  std::vector<double> data_squares, left_squares;  ///< of the data, and of what the coefficients leave of them
  std::vector<double> first;                       ///< FitState::square at the start
  std::vector<double> before;                      ///< what was reached in the round before
  std::vector<double> alm_squares;
  std::vector<double> beta;  ///< of conjugate gradients: the share of the last direction in the next one
  std::vector<bool> finished;

  explicit FitProgress(std::size_t systems);
  /// Iterations of the system that has done most.
  Index iterations() const;

  /// All of it as numbers, and from these. Throws InternalError if they are of another number of systems.
  std::vector<double> numbers() const;
  void take(std::span<const double> numbers);
};

}  // namespace armilla::ops
