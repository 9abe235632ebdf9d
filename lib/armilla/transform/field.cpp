#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/transform/field.hpp>

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::transform {

namespace {

template <class Number>
backend::DualBuffer<Number> adopt(std::span<Number> values, backend::Access access,
                                  std::shared_ptr<backend::Memory> memory, Index size, Index components, Index maps) {
  if (static_cast<Index>(values.size()) != size * components * maps)
    throw core::InputError(
        fmt::format("the memory has {} values, but a field of {} maps of {} components, with {} "
                    "values each on this rank, has {}",
                    values.size(), maps, components, size, size * components * maps));
  return {values, access, std::move(memory)};
}

}  // namespace

template <class T>
AlmField<T>::AlmField(FieldKind kind, std::shared_ptr<const dist::AlmDistribution> distribution, int rank, Index maps)
    : kind_(std::move(kind)),
      distribution_(std::move(distribution)),
      rank_(rank),
      maps_(maps),
      local_size_(distribution_->local_size(rank)),
      data_(local_size_ * kind_.components() * maps) {}

template <class T>
AlmField<T>::AlmField(FieldKind kind, std::shared_ptr<const dist::AlmDistribution> distribution, int rank, Index maps,
                      std::span<std::complex<T>> values, backend::Access access,
                      std::shared_ptr<backend::Memory> memory)
    : kind_(std::move(kind)),
      distribution_(std::move(distribution)),
      rank_(rank),
      maps_(maps),
      local_size_(distribution_->local_size(rank)),
      data_(adopt(values, access, std::move(memory), local_size_, kind_.components(), maps)) {}

template <class T>
void AlmField<T>::set_kind(FieldKind kind) {
  if (kind.components() != kind_.components())
    throw core::InternalError("alm field: the new kind has a different number of components");
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
MapField<T>::MapField(FieldKind kind, std::shared_ptr<const dist::PixelDistribution> distribution, int rank, Index maps,
                      std::span<T> values, backend::Access access, std::shared_ptr<backend::Memory> memory)
    : kind_(std::move(kind)),
      distribution_(std::move(distribution)),
      rank_(rank),
      maps_(maps),
      local_size_(distribution_->local_pixels(rank)),
      data_(adopt(values, access, std::move(memory), local_size_, kind_.components(), maps)) {}

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

template <class T>
core::MemoryEstimate AlmField<T>::memory(const FieldKind& kind, const dist::AlmDistribution& distribution, int rank,
                                         Index maps) {
  const Index number = static_cast<Index>(sizeof(std::complex<T>));
  return {.kept = core::saturating_product(
              maps, core::saturating_product(kind.components() * number, distribution.local_size(rank)))};
}

template <class T>
core::MemoryEstimate MapField<T>::memory(const FieldKind& kind, const dist::PixelDistribution& distribution, int rank,
                                         Index maps) {
  const Index number = static_cast<Index>(sizeof(T));
  return {.kept = core::saturating_product(
              maps, core::saturating_product(kind.components() * number, distribution.local_pixels(rank)))};
}

template <class T>
void combine(T a, const AlmField<T>& x, T b, AlmField<T>& y, const std::shared_ptr<backend::Memory>& memory) {
  const Index count = 2 * y.local_size() * y.kind().components() * y.maps();
  const auto* from = reinterpret_cast<const T*>(x.read(memory));
  memory->ops<T>().combine(a, from, b, reinterpret_cast<T*>(y.update(memory)), count);
}

template <class T>
void combine(T a, const MapField<T>& x, T b, MapField<T>& y, const std::shared_ptr<backend::Memory>& memory) {
  const Index count = y.local_size() * y.kind().components() * y.maps();
  const T* from = x.read(memory);
  memory->ops<T>().combine(a, from, b, y.update(memory), count);
}

template <class T>
void multiply_degrees(AlmField<T>& alm, Index first, Index components, std::span<const double> factors) {
  const std::vector<Index> own_m = alm.distribution().local_m(alm.rank());
  const std::vector<Index> offsets = alm.distribution().local_offsets(alm.rank());
  const Index all = alm.kind().components();
  const Index size = alm.local_size();
  // Maps per call: all if all components are selected, because their fields are contiguous; otherwise one.
  const Index together = components == all ? alm.maps() : 1;
  const std::shared_ptr<backend::Memory> memory = alm.memory();
  const backend::ArrayOps<T>& ops = memory->ops<T>();
  std::complex<T>* numbers = alm.update(memory);
  for (Index map = 0; map < alm.maps(); map += together)
    ops.multiply_degrees({own_m, offsets, alm.distribution().layout().lmax() + 1, together * components, size}, factors,
                         numbers + (map * all + first) * size);
}

template <class T>
void multiply_orders(const AlmField<T>& from, std::span<const double> factors, AlmField<T>& to,
                     const std::shared_ptr<backend::Memory>& memory) {
  const std::vector<Index> own_m = to.distribution().local_m(to.rank());
  const std::vector<Index> offsets = to.distribution().local_offsets(to.rank());
  std::vector<T> own_factors;
  for (const Index m : own_m) own_factors.push_back(static_cast<T>(factors[static_cast<std::size_t>(m)]));
  const std::complex<T>* numbers = from.read(memory);
  memory->ops<T>().multiply_orders(
      {own_m, offsets, to.distribution().layout().lmax() + 1, to.maps() * to.kind().components(), to.local_size()},
      own_factors, numbers, &from == &to ? to.update(memory) : to.overwrite(memory));
}

ARMILLA_INSTANTIATE_CLASS(AlmField);
ARMILLA_INSTANTIATE_CLASS(MapField);
template void combine(float, const AlmField<float>&, float, AlmField<float>&, const std::shared_ptr<backend::Memory>&);
template void combine(double, const AlmField<double>&, double, AlmField<double>&,
                      const std::shared_ptr<backend::Memory>&);
template void combine(float, const MapField<float>&, float, MapField<float>&, const std::shared_ptr<backend::Memory>&);
template void combine(double, const MapField<double>&, double, MapField<double>&,
                      const std::shared_ptr<backend::Memory>&);
ARMILLA_INSTANTIATE(multiply_orders);
ARMILLA_INSTANTIATE(multiply_degrees);

}  // namespace armilla::transform
