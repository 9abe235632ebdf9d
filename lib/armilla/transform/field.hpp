#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/types.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/transform/field_kind.hpp>

#include <complex>
#include <memory>
#include <span>

namespace armilla::transform {

/// One rank's share of the coefficients of a batch of fields: [map][component][own m, l].
template <class T>
class AlmField {
 public:
  AlmField(FieldKind kind, std::shared_ptr<const dist::AlmDistribution> distribution, int rank, Index maps);

  const FieldKind& kind() const { return kind_; }
  /// The numbers stay, and stand for another kind of as many components. Throws InternalError for more or fewer.
  void set_kind(FieldKind kind);
  const dist::AlmDistribution& distribution() const { return *distribution_; }
  std::shared_ptr<const dist::AlmDistribution> shared_distribution() const { return distribution_; }
  int rank() const { return rank_; }
  Index maps() const { return maps_; }
  core::MemorySpace space() const { return core::MemorySpace::kHost; }
  /// Length of one component of one map on this rank.
  Index local_size() const { return local_size_; }
  std::span<std::complex<T>> data() { return data_.span(); }
  std::span<const std::complex<T>> data() const { return data_.span(); }
  std::span<std::complex<T>> component(Index map, Index component);
  std::span<const std::complex<T>> component(Index map, Index component) const;

 private:
  FieldKind kind_;
  std::shared_ptr<const dist::AlmDistribution> distribution_;
  int rank_;
  Index maps_;
  Index local_size_;
  core::AlignedBuffer<std::complex<T>> data_;
};

/// One rank's share of the pixels of a batch of fields: [map][component][own pixel].
template <class T>
class MapField {
 public:
  MapField(FieldKind kind, std::shared_ptr<const dist::PixelDistribution> distribution, int rank, Index maps);

  const FieldKind& kind() const { return kind_; }
  const dist::PixelDistribution& distribution() const { return *distribution_; }
  std::shared_ptr<const dist::PixelDistribution> shared_distribution() const { return distribution_; }
  int rank() const { return rank_; }
  Index maps() const { return maps_; }
  core::MemorySpace space() const { return core::MemorySpace::kHost; }
  /// Length of one component of one map on this rank.
  Index local_size() const { return local_size_; }
  std::span<T> data() { return data_.span(); }
  std::span<const T> data() const { return data_.span(); }
  std::span<T> component(Index map, Index component);
  std::span<const T> component(Index map, Index component) const;

 private:
  FieldKind kind_;
  std::shared_ptr<const dist::PixelDistribution> distribution_;
  int rank_;
  Index maps_;
  Index local_size_;
  core::AlignedBuffer<T> data_;
};

extern template class AlmField<float>;
extern template class AlmField<double>;
extern template class MapField<float>;
extern template class MapField<double>;

}  // namespace armilla::transform
