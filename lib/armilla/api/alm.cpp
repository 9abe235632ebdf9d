#include <armilla/api/access.hpp>
#include <armilla/api/alm.hpp>
#include <armilla/api/places.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla {

using core::at;

template <class T>
Alm<T>::Alm(std::shared_ptr<const Communicator> comm, FieldKind fields,
            std::shared_ptr<const AlmDistribution> distribution, Index maps, std::shared_ptr<backend::Memory> memory)
    : Alm(comm,
          std::make_shared<transform::AlmField<T>>(std::move(fields), std::move(distribution), comm->rank(), maps), {},
          std::move(memory)) {
  std::ranges::fill(data(), std::complex<T>());
}

template <class T>
Alm<T>::Alm(std::shared_ptr<const Communicator> comm, std::shared_ptr<transform::AlmField<T>> field,
            std::shared_ptr<const api::AlmOrders> orders, std::shared_ptr<backend::Memory> memory)
    : comm_(std::move(comm)),
      fields_(field->kind()),
      distribution_(field->shared_distribution()),
      maps_(field->maps()),
      rank_(comm_->rank()),
      orders_(orders ? std::move(orders) : std::make_shared<const api::AlmOrders>(*distribution_, rank_)),
      field_(std::move(field)),
      memory_(memory ? std::move(memory) : field_->memory()) {}

template <class T>
std::span<const Index> Alm<T>::local_m() const {
  return orders_->m;
}

template <class T>
std::span<std::complex<T>> Alm<T>::of_m(Index m, Index component, Index map) {
  const std::span<const std::complex<T>> own = std::as_const(*this).of_m(m, component, map);
  const std::span<std::complex<T>> all = data();
  return all.subspan(at(own.data() - all.data()), own.size());
}

template <class T>
std::span<const std::complex<T>> Alm<T>::of_m(Index m, Index component, Index map) const {
  api::check_place(fields_, maps_, component, map);
  const auto found = std::ranges::lower_bound(orders_->m, m);
  if (found == orders_->m.end() || *found != m)
    throw InputError(fmt::format("rank {} does not own m = {}: use one of local_m()", rank_, m));
  const Index offset = orders_->offsets[at(found - orders_->m.begin())];
  return std::as_const(*field_).component(map, component).subspan(at(offset + m), at(layout().lmax() - m + 1));
}

template <class T>
std::span<std::complex<T>> Alm<T>::data() {
  return field_->data();
}

template <class T>
std::span<const std::complex<T>> Alm<T>::data() const {
  return std::as_const(*field_).data();
}

template <class T>
void Alm<T>::assign(std::span<const std::complex<T>> values, const Strides& strides) {
  api::copy_from_strides<std::complex<T>>(values, data(), strides, maps_, fields_.components());
}

template <class T>
void Alm<T>::copy_to(std::span<std::complex<T>> values, const Strides& strides) const {
  api::copy_to_strides<std::complex<T>>(data(), values, strides, maps_, fields_.components());
}

template <class T>
std::complex<T>* Alm<T>::device_data() {
  return field_->update(api::device_memory(memory_, "device_data()", "data()"));
}

template <class T>
const std::complex<T>* Alm<T>::device_data() const {
  return std::as_const(*field_).read(api::device_memory(memory_, "device_data()", "data()"));
}

template <class T>
Alm<T> Alm<T>::copy() const {
  return api::allocated([&] {
    auto field = std::make_shared<transform::AlmField<T>>(fields_, distribution_, rank_, maps_);
    std::ranges::copy(data(), field->data().begin());
    return Alm(comm_, std::move(field), orders_, memory_);
  });
}

ARMILLA_INSTANTIATE_CLASS(Alm);

}  // namespace armilla
