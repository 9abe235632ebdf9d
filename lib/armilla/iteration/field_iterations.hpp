#pragma once

#include <armilla/iteration/iteration.hpp>
#include <armilla/iteration/make_iteration.hpp>

#include <vector>

namespace armilla::iteration {

/// Jacobi iteration in pixel space. Collective.
template <class T>
class PixelIteration final : public Iteration<T> {
 public:
  PixelIteration(FieldTransform<T>& transform, AnalysisOperator<T> analysis)
      : transform_(transform), analysis_(std::move(analysis)) {}

  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  /// Device memory if spec.on_device().
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank, Index corrections, bool needs_scratch);

 private:
  FieldTransform<T>& transform_;
  AnalysisOperator<T> analysis_;
};

/// Collective. Jacobi iteration between coefficients and ring modes, over all ranks, on CPUs and devices. Each map is
/// bitwise identical to that of a single-map run, on any number of ranks.
template <class T>
class RingIteration final : public Iteration<T> {
 public:
  /// `weight` [sr] of a pixel of each ring of the rank.
  RingIteration(FieldTransform<T>& transform, std::vector<double> weight)
      : transform_(transform), weight_(std::move(weight)) {}

  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  /// Device memory if spec.on_device().
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank);

 private:
  FieldTransform<T>& transform_;
  std::vector<double> weight_;
};

/// Not collective. The immediate scheme on a device, for whole maps of this rank, with a transform for this rank only.
template <class T>
class DeviceImmediateIteration final : public Iteration<T> {
 public:
  DeviceImmediateIteration(FieldTransform<T>& transform, std::vector<double> weight)
      : transform_(transform), weight_(std::move(weight)) {}

  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  /// Device memory, without the transform.
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, Index corrections);

 private:
  FieldTransform<T>& transform_;
  std::vector<double> weight_;
};

}  // namespace armilla::iteration
