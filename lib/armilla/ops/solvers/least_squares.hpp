#pragma once

#include <armilla/ops/analysis_method.hpp>
#include <armilla/ops/solvers/fit_solver.hpp>

#include <functional>
#include <span>
#include <vector>

namespace armilla::ops {

enum class FitAlgorithm { kConjugateGradients, kLsmr };

/// Of each map the worst of its parts; `systems` are [map][part].
std::vector<AnalysisOutcome> outcomes_of_maps(std::span<const AnalysisOutcome> systems, Index maps);

/// What a fit iterates towards.
struct FitTarget {
  /// What has been reached, to be compared with `tolerance`: from the state of a system, the same square at the start,
  /// and the square of the norm of the alm.
  std::function<double(const FitState& state, double first_square, double alm_square)> reached;
  double tolerance = 0;
  Index max_iterations = 0;
};

/// Collective. Fits `alm`, from zero, with a solver in rounds: when all systems of the batch have stopped, residuals
/// are made from the coefficients, for those that iterations carry along drift away by rounding; those that have not
/// truly reached the tolerance then go on from there, as long as rounds help. Each system has its own steps and stop,
/// and the bits that it has alone. Throws MapFaults where maps have numbers that are not finite.
template <class T>
std::vector<AnalysisOutcome> least_squares(NormalEquations<T>& equations, const transform::MapField<T>& map,
                                           transform::AlmField<T>& alm, FitAlgorithm algorithm,
                                           const FitTarget& target);

/// Collective. As `fit` asks, with weights from the maps.
template <class T>
std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                                           transform::AlmField<T>& alm, FitAlgorithm algorithm, const LeastSquares& fit,
                                           const FitMaps<T>& maps);

/// The tolerance of a fit that asks for none, and the least that can be asked for: residuals of transforms in that
/// precision are not smaller.
template <class T>
constexpr double default_fit_tolerance() {
  return sizeof(T) == 4 ? 1e-4 : 1e-10;
}
template <class T>
constexpr double min_fit_tolerance() {
  return sizeof(T) == 4 ? 2e-6 : 1e-13;
}

/// Bytes that it allocates on `rank`; `weight_maps` and `weight_components` of the larger of mask and inverse variance,
/// 0 for none.
template <class T>
Index least_squares_bytes(const transform::FieldTransformSpec& spec, int rank, FitAlgorithm algorithm,
                          Index weight_maps, Index weight_components);

extern template std::vector<AnalysisOutcome> least_squares(NormalEquations<float>&, const transform::MapField<float>&,
                                                           transform::AlmField<float>&, FitAlgorithm, const FitTarget&);
extern template std::vector<AnalysisOutcome> least_squares(NormalEquations<double>&, const transform::MapField<double>&,
                                                           transform::AlmField<double>&, FitAlgorithm,
                                                           const FitTarget&);
extern template std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<float>&,
                                                           const transform::MapField<float>&,
                                                           transform::AlmField<float>&, FitAlgorithm,
                                                           const LeastSquares&, const FitMaps<float>&);
extern template std::vector<AnalysisOutcome> least_squares(transform::FieldTransform<double>&,
                                                           const transform::MapField<double>&,
                                                           transform::AlmField<double>&, FitAlgorithm,
                                                           const LeastSquares&, const FitMaps<double>&);
extern template Index least_squares_bytes<float>(const transform::FieldTransformSpec&, int, FitAlgorithm, Index, Index);
extern template Index least_squares_bytes<double>(const transform::FieldTransformSpec&, int, FitAlgorithm, Index,
                                                  Index);

}  // namespace armilla::ops
