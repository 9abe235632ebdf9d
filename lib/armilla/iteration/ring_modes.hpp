#pragma once

#include <armilla/iteration/alias_fold.hpp>
#include <armilla/iteration/spin_ring_modes.hpp>
#include <armilla/transform/delta_transform.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::iteration {

/// Maps of a batch times per-ring weights, as ring modes, which iterations between coefficients and Delta use instead
/// of maps. Components of a ring that no m of the transform reaches do not affect coefficients and are omitted. Stored
/// in the memory of the transform, which must outlive it. All calls except own_rings() are collective.
template <class T>
class RingModes {
 public:
  /// `weight` [sr] of a pixel of each of the rank's rings. Throws ResourceError if they do not fit in memory.
  RingModes(DeltaTransform<T>& delta, std::span<const double> weight);

  /// Computes the modes from pixels.
  void set(const MapField<T>& map);
  /// Multiplies each map and spin field by by[map][spin field].
  void scale(std::span<const double> by);
  /// Sums over the pixels of local rings of weight * map^2, [map][spin field][local ring]; bitwise identical for any
  /// assignment of rings to ranks.
  std::vector<double> squares() const;
  Index own_rings() const { return static_cast<Index>(delta_.spin_fields().front()->rings.size()); }
  /// Subtracts W Y alm, with the weights of these maps.
  void subtract(const AlmField<T>& alm);
  /// alm = Y^T of the weighted maps; overwrites alm.
  void adjoint_synthesis(AlmField<T>& alm);

  /// Memory on `rank` for a transform with this spec; device memory if spec.on_device().
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank);

 private:
  using Buffer = typename DeltaTransform<T>::Buffer;

  void make_on_device(std::span<const double> weight);

  DeltaTransform<T>& delta_;
  std::vector<Buffer> buffers_;  ///< on a device: [spin field], or one joint exchange buffer for several ranks
  std::vector<std::unique_ptr<SpinRingModes<T>>> spin_fields_;
};

/// Collective. result = Y^T W Y alm with `weight` [sr] of each pixel of each of the rank's rings. It is computed
/// between coefficients and Delta, with the aliases of each ring folded. Overwrites result.
template <class T>
class RingNormal {
 public:
  explicit RingNormal(DeltaTransform<T>& delta) : delta_(delta) {}

  void apply(const AlmField<T>& alm, std::span<const double> weight, AlmField<T>& result);

  /// Memory on each rank; device memory if spec.on_device().
  static core::MemoryEstimate memory(const FieldTransformSpec& spec);

 private:
  DeltaTransform<T>& delta_;
  std::vector<std::unique_ptr<AliasFold<T>>> folds_;  ///< [spin field], on CPUs
};

}  // namespace armilla::iteration
