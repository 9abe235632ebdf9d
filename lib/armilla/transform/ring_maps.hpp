#pragma once

#include <armilla/transform/ring_residual.hpp>

#include <algorithm>
#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace armilla::transform {

/// Maps of a batch times weights of rings, as spectra of the rings of one rank: what a fit between coefficients and
/// Delta has in place of maps. What m of a ring cannot reach, no coefficients can, and is left out. Made by a
/// FieldTransform, where its backend computes. No method is collective.
template <class T>
class RingMaps {
 public:
  virtual ~RingMaps() = default;
  /// From pixels.
  virtual void set(const MapField<T>& map) = 0;
  /// Multiplies each map and part of the field by a number of its own, by[map][part].
  virtual void scale(std::span<const double> by) = 0;
  /// Sums over the pixels of own rings of weight * map^2, [map][part][own ring]; the same bits wherever a ring is.
  virtual std::vector<double> squares() const = 0;
  virtual Index own_rings() const = 0;

  /// One part of the field: takes maps with that Delta off, on the ring side of the transform.
  virtual void take_off(std::size_t part, const std::complex<T>* delta) = 0;
  /// Delta of a part, on the ring side of the transform: in `room`, or where it stands, when it returns.
  virtual const std::complex<T>* delta(std::size_t part, std::complex<T>* room) const = 0;
  /// Of several ranks, where Delta of all parts stands as the exchange has it; null where delta() puts it into a room.
  virtual const backend::DeltaBuffer<T>* ring_side() const { return nullptr; }
};

/// In the memory of the host.
template <class T>
class HostRingMaps final : public RingMaps<T> {
 public:
  /// `parts` outlive it; `weight` of a pixel of each own ring.
  HostRingMaps(std::span<const std::unique_ptr<PartTables>> parts, Index mmax, std::span<const double> weight);

  void set(const MapField<T>& map) override;
  void scale(std::span<const double> by) override;
  std::vector<double> squares() const override;
  Index own_rings() const override { return parts_.front()->slots(); }
  void take_off(std::size_t part, const std::complex<T>* delta) override { parts_[part]->take_off(delta); }
  const std::complex<T>* delta(std::size_t part, std::complex<T>* room) const override {
    parts_[part]->gather(room);
    return room;
  }

  /// Bytes of those that belong to a transform of this spec, on `rank`.
  static Index bytes(const FieldTransformSpec& spec, int rank);

 private:
  std::vector<double> weight_;
  std::vector<std::unique_ptr<RingResidual<T>>> parts_;
  std::vector<Index> begins_;  ///< [part] where its pixels begin in a field
};

/// [system], as by[map][part], to those of one part, [map].
std::vector<double> of_part(std::span<const double> systems, std::size_t part, std::size_t parts);

/// RingMaps::squares from those of each part, [map][own ring]: visit(part, sums).
template <class Visit>
std::vector<double> squares_of_parts(std::size_t parts, Index maps, Index rings, const Visit& visit) {
  const auto own = static_cast<std::size_t>(rings);
  std::vector<double> squares(static_cast<std::size_t>(maps) * parts * own);
  std::vector<double> some(static_cast<std::size_t>(maps) * own);
  for (std::size_t p = 0; p < parts; ++p) {
    visit(p, std::span<double>(some));
    for (std::size_t map = 0; map < static_cast<std::size_t>(maps); ++map)
      std::copy_n(some.data() + map * own, own, squares.data() + (map * parts + p) * own);
  }
  return squares;
}

extern template class HostRingMaps<float>;
extern template class HostRingMaps<double>;

}  // namespace armilla::transform
