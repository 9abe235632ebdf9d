#pragma once

#include <armilla/ops/analysis_method.hpp>

namespace armilla::ops {

/// A fit by one of the two algorithms.
template <class Solver>
AnalysisMethod fit(double tolerance, Index most = 1000) {
  Solver solver;
  solver.tolerance = tolerance;
  solver.max_iterations = most;
  return {{}, solver};
}
inline AnalysisMethod cg(double tolerance, Index most = 1000) { return fit<ConjugateGradients>(tolerance, most); }
inline AnalysisMethod lsmr(double tolerance, Index most = 1000) { return fit<Lsmr>(tolerance, most); }

}  // namespace armilla::ops
