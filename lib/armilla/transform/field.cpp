#include <armilla/core/error.hpp>
#include <armilla/transform/field.hpp>

#include <utility>

namespace armilla::transform {

template <class T>
AlmField<T>::AlmField(FieldKind kind, std::shared_ptr<const dist::AlmDistribution> distribution, int rank, Index maps)
    : kind_(std::move(kind)),
      distribution_(std::move(distribution)),
      rank_(rank),
      maps_(maps),
      local_size_(distribution_->local_size(rank)),
      data_(local_size_ * kind_.components() * maps) {}

template <class T>
void AlmField<T>::set_kind(FieldKind kind) {
  if (kind.components() != kind_.components())
    throw core::InternalError("alm field: a kind of another number of components");
  kind_ = std::move(kind);
}

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
