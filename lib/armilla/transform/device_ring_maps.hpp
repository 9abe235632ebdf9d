#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/transform/ring_maps.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::transform {

/// On the device of a transform, where Delta of the rings stands: spectra of all m that rings feel
/// (backend::SpectraStage).
template <class T>
class DeviceRingMaps final : public RingMaps<T> {
 public:
  using Buffer = backend::DeltaBuffer<T>;

  /// `weight` of a pixel of each own ring. Arrays are as large as Delta of each part on one rank alone, and there is
  /// one for all parts, as the exchange has them, on several. All but the weights outlive it.
  DeviceRingMaps(std::span<const std::unique_ptr<PartTables>> parts,
                 std::span<const std::unique_ptr<backend::Backend<T>>> backends,
                 const std::shared_ptr<backend::Memory>& memory, std::span<const double> weight);

  void set(const MapField<T>& map) override;
  void scale(std::span<const double> by) override;
  std::vector<double> squares() const override;
  Index own_rings() const override { return static_cast<Index>(parts_.front()->rings.size()); }
  void take_off(std::size_t part, const std::complex<T>* delta) override;
  const std::complex<T>* delta(std::size_t part, std::complex<T>*) const override { return at(part).data(); }
  const Buffer* ring_side() const override { return &spectra_.front(); }

  /// Bytes of those that belong to a transform of this spec, on `rank`.
  static Index bytes(const FieldTransformSpec& spec, int rank);

 private:
  const Buffer& at(std::size_t part) const { return spectra_.size() == 1 ? spectra_.front() : spectra_[part]; }
  /// With the weights of these maps, for others have theirs.
  backend::SpectraStage<T>& stage(std::size_t part) const;

  std::span<const std::unique_ptr<PartTables>> parts_;
  std::span<const std::unique_ptr<backend::Backend<T>>> backends_;
  std::shared_ptr<backend::Memory> memory_;
  std::vector<double> weight_;
  std::vector<Buffer> spectra_;  ///< [part], or one for all
};

extern template class DeviceRingMaps<float>;
extern template class DeviceRingMaps<double>;

}  // namespace armilla::transform
