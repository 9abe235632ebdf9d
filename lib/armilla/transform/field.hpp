#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/types.hpp>
#include <armilla/dist/distribution.hpp>

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace armilla::transform {

using core::Index;

/// Components that transform together: one for spin 0, two (Q, U in maps; E, B in alm) for spin > 0.
struct FieldPart {
  Index spin;
  Index first;       ///< number of its first component within the field
  Index components;  ///< 1 or 2

  friend bool operator==(const FieldPart&, const FieldPart&) = default;
};

/// What a field is made of, and what its components are called in maps and in alm.
class FieldKind {
 public:
  FieldKind() = default;
  static FieldKind scalar(std::string name = "T");
  /// Q, U in maps and E, B in alm: spin 2 alone.
  static FieldKind polarisation();
  /// T, Q, U in maps; T, E, B in alm.
  static FieldKind temperature_polarisation();
  /// Two components of any spin > 0. Throws InputError for spin < 1.
  static FieldKind spin(Index spin);
  /// From the names in a job or file: {T} or any single name, {Q, U} or {E, B}, {T, Q, U} or {T, E, B} (I for T is
  /// taken). Throws InputError, naming the choices, for other lists.
  static FieldKind from_names(std::span<const std::string> names);

  std::span<const FieldPart> parts() const { return parts_; }
  Index components() const { return static_cast<Index>(map_names_.size()); }
  const std::vector<std::string>& map_names() const { return map_names_; }
  const std::vector<std::string>& alm_names() const { return alm_names_; }
  Index max_spin() const;

  friend bool operator==(const FieldKind& a, const FieldKind& b) { return a.parts_ == b.parts_; }

 private:
  std::vector<FieldPart> parts_;
  std::vector<std::string> map_names_;
  std::vector<std::string> alm_names_;
};

/// One rank's share of the coefficients of a batch of fields: [map][component][own m, l].
template <class T>
class AlmField {
 public:
  AlmField(FieldKind kind, std::shared_ptr<const dist::AlmDistribution> distribution, int rank, Index maps);

  const FieldKind& kind() const { return kind_; }
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
