#pragma once

#include <armilla/iteration/alias_fold.hpp>
#include <armilla/iteration/spin_ring_modes.hpp>
#include <armilla/transform/delta_transform.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::iteration {

/// Maps of a batch times weights of rings, as ring modes: what iterations between coefficients and Delta have in place
/// of maps. What m of a ring cannot reach, no coefficients can, and is left out. Where the transform computes; kept no
/// longer than it. All calls but own_rings() are collective.
template <class T>
class RingModes {
 public:
  /// `weight` [sr] of a pixel of each of the rank's rings. Throws ResourceError where they do not fit.
  RingModes(DeltaTransform<T>& delta, std::span<const double> weight);

  /// From pixels.
  void set(const MapField<T>& map);
  /// Multiplies each map and spin field by a number of its own, by[map][spin field].
  void scale(std::span<const double> by);
  /// Sums over the pixels of own rings of weight * map^2, [map][spin field][own ring]; bitwise identical on whichever
  /// rank a ring is.
  std::vector<double> squares() const;
  Index own_rings() const { return static_cast<Index>(delta_.spin_fields().front()->rings.size()); }
  /// Subtracts W Y alm, with the weights of these maps.
  void subtract(const AlmField<T>& alm);
  /// alm = Y^T of what there is, which has its weights; overwrites alm.
  void adjoint_synthesis(AlmField<T>& alm);

  /// Of those that belong to a transform of this spec, on `rank`; of the device where spec.on_device().
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank);

 private:
  using Buffer = typename DeltaTransform<T>::Buffer;

  void make_on_device(std::span<const double> weight);

  DeltaTransform<T>& delta_;
  std::vector<Buffer> buffers_;  ///< on a device: [spin field], or of several ranks one for all, as the exchange has it
  std::vector<std::unique_ptr<SpinRingModes<T>>> spin_fields_;
};

/// Collective. result = Y^T W Y alm with `weight` [sr] of each pixel of each of the rank's rings: between coefficients
/// and Delta, with the aliases of each ring folded. Overwrites result.
template <class T>
class RingNormal {
 public:
  explicit RingNormal(DeltaTransform<T>& delta) : delta_(delta) {}

  void apply(const AlmField<T>& alm, std::span<const double> weight, AlmField<T>& result);

  /// On each rank; of the device where spec.on_device().
  static core::MemoryEstimate memory(const FieldTransformSpec& spec);

 private:
  DeltaTransform<T>& delta_;
  std::vector<std::unique_ptr<AliasFold<T>>> folds_;  ///< [spin field], on CPUs
};

}  // namespace armilla::iteration
