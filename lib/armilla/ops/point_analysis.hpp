#pragma once

#include <armilla/iteration/checkpoint.hpp>
#include <armilla/ops/analysis_method.hpp>
#include <armilla/points/point_transform.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Least-squares coefficients of values at arbitrary points: those for which the sum over points of w (value - Y alm)^2
/// is least, w the inverse variances of the values; of those that fit equally well, the ones of the least norm. Points
/// that leave harmonics nearly free, as in gaps wider than pi / lmax, need many iterations, and their noise grows with
/// AnalysisOutcome::condition. Refers to the transform.
template <class T>
class PointAnalysis {
 public:
  /// Collective. `inverse_variance`: of the points that this rank gave to the transform, or, on all ranks, none: all
  /// points count alike. Throws InputError with the number of the first one that is negative or not finite, and where
  /// no point counts.
  PointAnalysis(points::PointTransform<T>& transform, std::span<const double> inverse_variance);

  /// Collective. Finds alm of values [map, component][point] at the points of the transform, as a fit by `algorithm`
  /// whose ring weights and PixelCount do not matter; overwrites alm. Returns what was reached for each map. Throws
  /// MapFaults where values are not finite. `checkpoint`, null for none: as fit_in_rounds().
  std::vector<AnalysisOutcome> run(typename points::PointTransform<T>::ConstValues values, transform::AlmField<T>& alm,
                                   const AnalysisMethod& method, iteration::Checkpoint<T>* checkpoint = nullptr);

  /// On a rank that gives so many points, besides the transform.
  static core::MemoryEstimate memory(const points::PointTransformSpec& spec, Index given, int rank,
                                     const AnalysisMethod& method);

 private:
  points::PointTransform<T>& transform_;
  std::vector<double> weights_;  ///< of own points, of mean 4 pi / points over all; one for all alike
};

}  // namespace armilla::ops
