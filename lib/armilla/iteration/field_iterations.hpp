#pragma once

#include <armilla/iteration/iteration.hpp>
#include <armilla/iteration/make_iteration.hpp>

#include <vector>

namespace armilla::iteration {

/// Jacobi through pixels. Collective.
template <class T>
class PixelIteration final : public Iteration<T> {
 public:
  PixelIteration(FieldTransform<T>& transform, Quadrature<T> quadrature)
      : transform_(transform), quadrature_(std::move(quadrature)) {}

  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  /// Of the device where spec.on_device().
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank, Index corrections, bool needs_scratch);

 private:
  FieldTransform<T>& transform_;
  Quadrature<T> quadrature_;
};

/// Jacobi between coefficients and ring modes, all ranks together, on CPUs and devices. Collective. A map has the bits
/// that it has alone, on any number of ranks.
template <class T>
class RingIteration final : public Iteration<T> {
 public:
  /// `weight` [sr] of a pixel of each ring of the rank.
  RingIteration(FieldTransform<T>& transform, std::vector<double> weight)
      : transform_(transform), weight_(std::move(weight)) {}

  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  /// Of the device where spec.on_device().
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank);

 private:
  FieldTransform<T>& transform_;
  std::vector<double> weight_;
};

/// The immediate scheme on a device, of whole maps of this rank: a transform of this rank alone. Not collective.
template <class T>
class DeviceImmediateIteration final : public Iteration<T> {
 public:
  DeviceImmediateIteration(FieldTransform<T>& transform, std::vector<double> weight)
      : transform_(transform), weight_(std::move(weight)) {}

  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  /// Of the device, besides the transform.
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, Index corrections);

 private:
  FieldTransform<T>& transform_;
  std::vector<double> weight_;
};

}  // namespace armilla::iteration
