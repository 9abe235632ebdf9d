#pragma once

#include <armilla/iteration/checkpoint.hpp>
#include <armilla/ops/analysis_method.hpp>
#include <armilla/points/point_transform.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Least-squares coefficients of values at arbitrary points. They minimise the sum over points of w (value - Y alm)^2,
/// where w is the inverse variance of the values, plus the penalty of the fit. Among equally good solutions, the one
/// with the smallest norm is taken. If the points constrain some harmonics weakly, for example with gaps wider than pi
/// / lmax, many iterations are needed. The noise of those harmonics grows with AnalysisOutcome::condition. Keeps a
/// reference to the transform.
template <class T>
class PointAnalysis {
 public:
  /// Collective. `inverse_variance`: for the points that this rank passed to the transform; empty on all ranks for
  /// equal weights. Throws InputError with the index of the first value that is negative or not finite, and if all
  /// values are zero.
  PointAnalysis(points::PointTransform<T>& transform, std::span<const double> inverse_variance);

  /// Collective. Fits alm to values [map, component][point] at the points of the transform; overwrites alm. `method`
  /// selects the fit; its ring weights and PixelCount are ignored. Returns the outcome for each map. Throws MapFaults
  /// if values are not finite, and InputError if there is no regularisation and fewer values with nonzero weight than
  /// unknowns. `checkpoint`: as in fit_in_rounds(), or null.
  std::vector<AnalysisOutcome> run(std::span<const T> values, transform::AlmField<T>& alm, const AnalysisMethod& method,
                                   iteration::Checkpoint<T>* checkpoint = nullptr);
  /// Collective. The same for values in the memory of the transform, which are copied to the host once, for the checks.
  std::vector<AnalysisOutcome> run(const backend::DualBuffer<T>& values, transform::AlmField<T>& alm,
                                   const AnalysisMethod& method, iteration::Checkpoint<T>* checkpoint = nullptr);

  /// Memory on a rank with `given` points, without the transform; a device needs the same workspace.
  static core::MemoryEstimate memory(const points::PointTransformSpec& spec, Index given, int rank,
                                     const AnalysisMethod& method);

 private:
  points::PointTransform<T>& transform_;
  std::vector<double> weights_;  ///< of own points, mean 4 pi / points over all ranks; one entry: equal weights
  double scale_ = 1;             ///< these weights divided by those given, or by 1
  Index used_ = 0;               ///< points of all ranks with nonzero weight
};

}  // namespace armilla::ops
