#include <armilla/core/error.hpp>
#include <armilla/transform/field.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace armilla::transform {

FieldKind FieldKind::scalar(std::string name) {
  FieldKind kind;
  kind.parts_ = {{0, 0, 1}};
  kind.map_names_ = {name};
  kind.alm_names_ = {std::move(name)};
  return kind;
}

FieldKind FieldKind::polarisation() {
  FieldKind kind;
  kind.parts_ = {{2, 0, 2}};
  kind.map_names_ = {"Q", "U"};
  kind.alm_names_ = {"E", "B"};
  return kind;
}

FieldKind FieldKind::temperature_polarisation() {
  FieldKind kind;
  kind.parts_ = {{0, 0, 1}, {2, 1, 2}};
  kind.map_names_ = {"T", "Q", "U"};
  kind.alm_names_ = {"T", "E", "B"};
  return kind;
}

FieldKind FieldKind::spin(Index spin) {
  if (spin < 1)
    throw core::InputError(fmt::format("spin = {}: give a spin of at least 1, or fields: [T] for a scalar", spin));
  if (spin == 2) return polarisation();
  FieldKind kind;
  kind.parts_ = {{spin, 0, 2}};
  kind.map_names_ = {fmt::format("RE{}", spin), fmt::format("IM{}", spin)};
  kind.alm_names_ = {"E", "B"};
  return kind;
}

FieldKind FieldKind::from_names(std::span<const std::string> names) {
  std::vector<std::string> list(names.begin(), names.end());
  for (std::string& name : list)
    if (name == "I") name = "T";
  for (const FieldKind& kind : {polarisation(), temperature_polarisation()})
    if (list == kind.map_names_ || list == kind.alm_names_) return kind;
  if (list.size() == 1) return scalar(list.front());
  throw core::InputError(
      fmt::format("fields [{}] are no known combination: give one scalar such as [T], [Q, U] or [E, B], [T, Q, U] or "
                  "[T, E, B], or spin: s for two components of another spin",
                  fmt::join(list, ", ")));
}

Index FieldKind::max_spin() const {
  Index spin = 0;
  for (const FieldPart& part : parts_) spin = std::max(spin, part.spin);
  return spin;
}

template <class T>
AlmField<T>::AlmField(FieldKind kind, std::shared_ptr<const dist::AlmDistribution> distribution, int rank, Index maps)
    : kind_(std::move(kind)),
      distribution_(std::move(distribution)),
      rank_(rank),
      maps_(maps),
      local_size_(distribution_->local_size(rank)),
      data_(local_size_ * kind_.components() * maps) {}

template <class T>
std::span<std::complex<T>> AlmField<T>::component(Index map, Index component) {
  return data().subspan(static_cast<std::size_t>((map * kind_.components() + component) * local_size_),
                        static_cast<std::size_t>(local_size_));
}

template <class T>
std::span<const std::complex<T>> AlmField<T>::component(Index map, Index component) const {
  return data().subspan(static_cast<std::size_t>((map * kind_.components() + component) * local_size_),
                        static_cast<std::size_t>(local_size_));
}

template <class T>
MapField<T>::MapField(FieldKind kind, std::shared_ptr<const dist::PixelDistribution> distribution, int rank, Index maps)
    : kind_(std::move(kind)),
      distribution_(std::move(distribution)),
      rank_(rank),
      maps_(maps),
      local_size_(distribution_->local_pixels(rank)),
      data_(local_size_ * kind_.components() * maps) {}

template <class T>
std::span<T> MapField<T>::component(Index map, Index component) {
  return data().subspan(static_cast<std::size_t>((map * kind_.components() + component) * local_size_),
                        static_cast<std::size_t>(local_size_));
}

template <class T>
std::span<const T> MapField<T>::component(Index map, Index component) const {
  return data().subspan(static_cast<std::size_t>((map * kind_.components() + component) * local_size_),
                        static_cast<std::size_t>(local_size_));
}

template class AlmField<float>;
template class AlmField<double>;
template class MapField<float>;
template class MapField<double>;

}  // namespace armilla::transform
