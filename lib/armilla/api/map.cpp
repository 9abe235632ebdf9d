#include <armilla/api/access.hpp>
#include <armilla/api/map.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla {

using core::at;

template <class T>
Map<T>::Map(std::shared_ptr<const Communicator> comm, FieldKind fields,
            std::shared_ptr<const PixelDistribution> distribution, Index maps)
    : Map(comm,
          std::make_shared<transform::MapField<T>>(std::move(fields), std::move(distribution), comm->rank(), maps)) {
  std::ranges::fill(data(), T());
}

template <class T>
Map<T>::Map(std::shared_ptr<const Communicator> comm, std::shared_ptr<transform::MapField<T>> field)
    : comm_(std::move(comm)),
      fields_(field->kind()),
      distribution_(field->shared_distribution()),
      maps_(field->maps()),
      rank_(comm_->rank()),
      field_(std::move(field)) {
  const std::vector<Index> offsets = distribution_->local_ring_pixels(rank_);
  for (const Index number : distribution_->local_rings(rank_))
    rings_.push_back({grid().rings()[at(number)], offsets[rings_.size()]});
  for (const LocalRing& ring : rings_) extents_.emplace_back(ring.offset, ring.ring.nphi);
  std::ranges::sort(extents_);
}

template <class T>
void Map<T>::check_ring(const LocalRing& ring) const {
  if (!std::ranges::binary_search(extents_, std::pair(ring.offset, ring.ring.nphi)))
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

ARMILLA_INSTANTIATE_CLASS(Map);

}  // namespace armilla
