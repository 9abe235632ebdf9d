#include <armilla/api/access.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/places.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla {

using core::at;

api::MapRings::MapRings(const PixelDistribution& pixels, int rank) {
  const std::vector<Index> offsets = pixels.local_ring_pixels(rank);
  for (const Index number : pixels.local_rings(rank))
    rings.push_back({pixels.grid().rings()[at(number)], offsets[rings.size()]});
  for (const LocalRing& ring : rings) extents.emplace_back(ring.offset, ring.ring.nphi);
  std::ranges::sort(extents);
}

template <class T>
Map<T>::Map(std::shared_ptr<const Communicator> comm, FieldKind fields,
            std::shared_ptr<const PixelDistribution> distribution, Index maps, std::shared_ptr<backend::Memory> memory)
    : Map(comm,
          std::make_shared<transform::MapField<T>>(std::move(fields), std::move(distribution), comm->rank(), maps), {},
          std::move(memory)) {
  std::ranges::fill(data(), T());
}

template <class T>
Map<T>::Map(std::shared_ptr<const Communicator> comm, std::shared_ptr<transform::MapField<T>> field,
            std::shared_ptr<const api::MapRings> rings, std::shared_ptr<backend::Memory> memory)
    : comm_(std::move(comm)),
      fields_(field->kind()),
      distribution_(field->shared_distribution()),
      maps_(field->maps()),
      rank_(comm_->rank()),
      rings_(rings ? std::move(rings) : std::make_shared<const api::MapRings>(*distribution_, rank_)),
      field_(std::move(field)),
      memory_(memory ? std::move(memory) : field_->memory()) {}

template <class T>
std::span<const LocalRing> Map<T>::rings() const {
  return rings_->rings;
}

template <class T>
void Map<T>::check_ring(const LocalRing& ring) const {
  if (!std::ranges::binary_search(rings_->extents, std::pair(ring.offset, ring.ring.nphi)))
    throw InputError(fmt::format("rank {} has no ring of {} pixels that begins at its pixel {}: use one of rings()",
                                 rank_, ring.ring.nphi, ring.offset));
}

template <class T>
std::span<T> Map<T>::of_ring(const LocalRing& ring, Index component, Index map) {
  const std::span<const T> own = std::as_const(*this).of_ring(ring, component, map);
  const std::span<T> all = data();
  return all.subspan(at(own.data() - all.data()), own.size());
}

template <class T>
std::span<const T> Map<T>::of_ring(const LocalRing& ring, Index component, Index map) const {
  api::check_place(fields_, maps_, component, map);
  check_ring(ring);
  return std::as_const(*field_).component(map, component).subspan(at(ring.offset), at(ring.ring.nphi));
}

template <class T>
std::span<T> Map<T>::data() {
  return field_->data();
}

template <class T>
std::span<const T> Map<T>::data() const {
  return std::as_const(*field_).data();
}

template <class T>
void Map<T>::assign(std::span<const T> values, const Strides& strides) {
  api::copy_from_strides<T>(values, data(), strides, maps_, fields_.components());
}

template <class T>
void Map<T>::copy_to(std::span<T> values, const Strides& strides) const {
  api::copy_to_strides<T>(data(), values, strides, maps_, fields_.components());
}

template <class T>
T* Map<T>::device_data() {
  return field_->update(api::device_memory(memory_, "device_data()", "data()"));
}

template <class T>
const T* Map<T>::device_data() const {
  return std::as_const(*field_).read(api::device_memory(memory_, "device_data()", "data()"));
}

template <class T>
Map<T> Map<T>::copy() const {
  return api::allocated([&] {
    auto field = std::make_shared<transform::MapField<T>>(fields_, distribution_, rank_, maps_);
    std::ranges::copy(data(), field->data().begin());
    return Map(comm_, std::move(field), rings_, memory_);
  });
}

ARMILLA_INSTANTIATE_CLASS(Map);

}  // namespace armilla
