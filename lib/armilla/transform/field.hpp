#pragma once

#include <armilla/backend/dual_buffer.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/transform/field_kind.hpp>

#include <complex>
#include <memory>
#include <span>

namespace armilla::transform {

/// One rank's share of the coefficients of a batch of fields: [map][component][local m, l].
template <class T>
class AlmField {
 public:
  AlmField(FieldKind kind, std::shared_ptr<const dist::AlmDistribution> distribution, int rank, Index maps);
  /// Uses memory of the caller, which must outlive the field, as backend::DualBuffer does, by default host memory.
  /// Throws InputError unless it has the size of the field and is in `memory`.
  AlmField(FieldKind kind, std::shared_ptr<const dist::AlmDistribution> distribution, int rank, Index maps,
           std::span<std::complex<T>> values, backend::Access access, std::shared_ptr<backend::Memory> memory = {});

  const FieldKind& kind() const { return kind_; }
  /// Reinterprets the values as another kind with the same number of components. Throws InternalError for another
  /// number.
  void set_kind(FieldKind kind);
  const dist::AlmDistribution& distribution() const { return *distribution_; }
  std::shared_ptr<const dist::AlmDistribution> shared_distribution() const { return distribution_; }
  int rank() const { return rank_; }
  Index maps() const { return maps_; }
  /// Length of one component of one map on this rank.
  Index local_size() const { return local_size_; }
  /// Values on the host, or in the memory of a backend, for reading, changing or overwriting completely, as in
  /// backend::DualBuffer. A span on the host is valid until a transform writes to the field.
  std::span<std::complex<T>> data() { return data_.host(); }
  std::span<const std::complex<T>> data() const { return data_.host(); }
  const std::complex<T>* read(const std::shared_ptr<backend::Memory>& memory) const { return data_.read(memory); }
  std::complex<T>* update(const std::shared_ptr<backend::Memory>& memory) { return data_.update(memory); }
  std::complex<T>* overwrite(const std::shared_ptr<backend::Memory>& memory) { return data_.overwrite(memory); }
  std::shared_ptr<backend::Memory> memory() const { return data_.memory(); }
  bool is_writable() const { return data_.is_writable(); }
  void deliver() const { data_.deliver(); }
  void leave_device() { data_.leave_device(); }
  std::span<std::complex<T>> component(Index map, Index component);
  std::span<const std::complex<T>> component(Index map, Index component) const;

  /// Host memory; a device that uses the field needs the same amount.
  static core::MemoryEstimate memory(const FieldKind& kind, const dist::AlmDistribution& distribution, int rank,
                                     Index maps);

 private:
  FieldKind kind_;
  std::shared_ptr<const dist::AlmDistribution> distribution_;
  int rank_;
  Index maps_;
  Index local_size_;
  backend::DualBuffer<std::complex<T>> data_;
};

/// One rank's share of the pixels of a batch of fields: [map][component][own pixel].
template <class T>
class MapField {
 public:
  MapField(FieldKind kind, std::shared_ptr<const dist::PixelDistribution> distribution, int rank, Index maps);
  /// Uses memory of the caller, which must outlive the field, as backend::DualBuffer does, by default host memory.
  /// Throws InputError unless it has the size of the field and is in `memory`.
  MapField(FieldKind kind, std::shared_ptr<const dist::PixelDistribution> distribution, int rank, Index maps,
           std::span<T> values, backend::Access access, std::shared_ptr<backend::Memory> memory = {});

  const FieldKind& kind() const { return kind_; }
  const dist::PixelDistribution& distribution() const { return *distribution_; }
  std::shared_ptr<const dist::PixelDistribution> shared_distribution() const { return distribution_; }
  int rank() const { return rank_; }
  Index maps() const { return maps_; }
  /// Length of one component of one map on this rank.
  Index local_size() const { return local_size_; }
  /// Values on the host, or in the memory of a backend, for reading, changing or overwriting completely, as in
  /// backend::DualBuffer. A span on the host is valid until a transform writes to the field.
  std::span<T> data() { return data_.host(); }
  std::span<const T> data() const { return data_.host(); }
  const T* read(const std::shared_ptr<backend::Memory>& memory) const { return data_.read(memory); }
  T* update(const std::shared_ptr<backend::Memory>& memory) { return data_.update(memory); }
  T* overwrite(const std::shared_ptr<backend::Memory>& memory) { return data_.overwrite(memory); }
  std::shared_ptr<backend::Memory> memory() const { return data_.memory(); }
  bool is_writable() const { return data_.is_writable(); }
  void deliver() const { data_.deliver(); }
  void leave_device() { data_.leave_device(); }
  std::span<T> component(Index map, Index component);
  std::span<const T> component(Index map, Index component) const;

  /// Host memory; a device that uses the field needs the same amount.
  static core::MemoryEstimate memory(const FieldKind& kind, const dist::PixelDistribution& distribution, int rank,
                                     Index maps);

 private:
  FieldKind kind_;
  std::shared_ptr<const dist::PixelDistribution> distribution_;
  int rank_;
  Index maps_;
  Index local_size_;
  backend::DualBuffer<T> data_;
};

/// The components of all maps of a field on the host, [map][component], for reading by threads. Created by one thread,
/// because this may copy data from a device.
template <class Field>
auto host_components(const Field& field) {
  std::vector<decltype(field.component(0, 0))> components;
  for (Index k = 0; k < field.maps(); ++k)
    for (Index c = 0; c < field.kind().components(); ++c) components.push_back(field.component(k, c));
  return components;
}

/// y = a x + b y, for all values of two fields of equal shape, in the memory of a backend.
template <class T>
void combine(T a, const AlmField<T>& x, T b, AlmField<T>& y, const std::shared_ptr<backend::Memory>& memory);
template <class T>
void combine(T a, const MapField<T>& x, T b, MapField<T>& y, const std::shared_ptr<backend::Memory>& memory);

/// Not collective. to = factors[m] from, for all values of two fields of equal shape, in a memory; `to` may be `from`.
/// `factors` has one factor for each order.
template <class T>
void multiply_orders(const AlmField<T>& from, std::span<const double> factors, AlmField<T>& to,
                     const std::shared_ptr<backend::Memory>& memory);

/// Not collective. alm = factors[l] alm, computed in double, for components first .. first + components - 1 of all
/// maps, in the memory that holds them. `factors` has one factor for each degree.
template <class T>
void multiply_degrees(AlmField<T>& alm, Index first, Index components, std::span<const double> factors);

}  // namespace armilla::transform
