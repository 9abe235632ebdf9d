#include <armilla/transform/device_ring_maps.hpp>
#include <armilla/transform/field_transform_impl.hpp>

namespace armilla::transform {

template <class T>
std::unique_ptr<RingMaps<T>> FieldTransform<T>::make_ring_maps(std::span<const double> weight) const {
  const Impl& own = *impl_;
  const std::span<const std::unique_ptr<PartTables>> parts(own.parts);
  std::unique_ptr<RingMaps<T>> maps;
  comm::phase(own.comm, [&] {
    if (own.device_work)
      maps = std::make_unique<DeviceRingMaps<T>>(parts, own.backends, own.context->memory(), weight);
    else
      maps = std::make_unique<HostRingMaps<T>>(parts, own.spec.alm->layout().mmax(), weight);
  });
  return maps;
}

template <class T>
void FieldTransform<T>::take_off(const AlmField<T>& alm, RingMaps<T>& maps) {
  Impl& own = *impl_;
  const auto& memory = own.context->memory();
  own.for_each_group([&](std::size_t begin, std::size_t end) {
    own.in_phase("legendre", begin, end, [&](std::size_t p) {
      own.backends[p]->legendre_synthesis(alm.read(memory) + own.parts[p]->alm_begin(), own.m_side.data(),
                                          own.progress_of(p));
    });
    if (!own.alone()) own.exchange_to_rings();
    const std::complex<T>* delta = own.alone() ? own.m_side.data() : own.ring_side.data();
    own.in_phase("rings", begin, end, [&](std::size_t p) { maps.take_off(p, delta); });
  });
}

template <class T>
void FieldTransform<T>::adjoint_synthesis(const RingMaps<T>& maps, AlmField<T>& alm) {
  Impl& own = *impl_;
  const auto& memory = own.context->memory();
  own.for_each_group([&](std::size_t begin, std::size_t end) {
    const std::complex<T>* delta = nullptr;
    own.in_phase("rings", begin, end,
                 [&](std::size_t p) { delta = maps.delta(p, own.alone() ? own.m_side.data() : own.ring_side.data()); });
    if (!own.alone()) own.exchange_to_m(maps.ring_side() != nullptr ? *maps.ring_side() : own.ring_side);
    own.in_phase("legendre", begin, end, [&](std::size_t p) {
      own.backends[p]->legendre_adjoint(own.alone() ? delta : own.m_side.data(),
                                        alm.overwrite(memory) + own.parts[p]->alm_begin(), own.progress_of(p));
    });
  });
}

template std::unique_ptr<RingMaps<float>> FieldTransform<float>::make_ring_maps(std::span<const double>) const;
template std::unique_ptr<RingMaps<double>> FieldTransform<double>::make_ring_maps(std::span<const double>) const;
template void FieldTransform<float>::take_off(const AlmField<float>&, RingMaps<float>&);
template void FieldTransform<double>::take_off(const AlmField<double>&, RingMaps<double>&);
template void FieldTransform<float>::adjoint_synthesis(const RingMaps<float>&, AlmField<float>&);
template void FieldTransform<double>::adjoint_synthesis(const RingMaps<double>&, AlmField<double>&);

}  // namespace armilla::transform
