#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/map_algebra.hpp>

#include <memory>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

template <class T>
void check_same_pixels(const transform::MapField<T>& map, const transform::MapField<T>& other) {
  if (!map.distribution().grid().same_pixels(other.distribution().grid()))
    throw core::InputError(fmt::format("the maps are on {} and on {}: use maps on the same grid",
                                       map.distribution().grid().description().text(),
                                       other.distribution().grid().description().text()));
  if (other.maps() != 1 && other.maps() != map.maps())
    throw core::InputError(fmt::format("the maps are batches of {} and of {} maps: use one map for all, or one per map",
                                       map.maps(), other.maps()));
}

/// Calls work(component, values, values of the other map) for each component of each map, in the memory of `map`.
template <class T, class Work>
void for_all_components(transform::MapField<T>& map, const transform::MapField<T>& other, const Work& work) {
  const Index components = map.kind().components(), others = other.kind().components(), size = map.local_size();
  if (others != 1 && others != components)
    throw core::InputError(
        fmt::format("the maps have {} and {} components: use maps with the same number", components, others));
  const std::shared_ptr<backend::Memory> memory = map.memory();
  T* values = map.update(memory);
  const T* added = &map == &other ? values : other.read(memory);
  for (Index i = 0; i < map.maps() * components; ++i) {
    const Index k = other.maps() == 1 ? 0 : i / components;
    const Index c = others == 1 ? 0 : i % components;
    work(memory->ops<T>(), i % components, values + i * size, added + (k * others + c) * size);
  }
}

void check_map_factors(std::span<const double> factors, Index components) {
  if (static_cast<Index>(factors.size()) != components)
    throw core::InternalError("arithmetic of maps: there must be one factor for each component");
}

}  // namespace

template <class T>
void scale(transform::MapField<T>& map, std::span<const double> factors) {
  check_map_factors(factors, map.kind().components());
  const Index size = map.local_size();
  for_all_components(map, map, [&](const backend::ArrayOps<T>& ops, Index c, T* values, const T*) {
    ops.combine(static_cast<T>(factors[core::at(c)]), values, T{0}, values, size);
  });
}

template <class T>
void add(transform::MapField<T>& map, double number) {
  const auto added = static_cast<T>(number);
  for (T& value : map.data()) value += added;
}

template <class T>
void add(transform::MapField<T>& map, std::span<const double> factors, const transform::MapField<T>& other,
         std::span<const double> other_factors) {
  check_map_factors(factors, map.kind().components());
  check_map_factors(other_factors, map.kind().components());
  check_same_pixels(map, other);
  if (other.kind().components() != map.kind().components())
    throw core::InputError(fmt::format("the maps have {} and {} components: use maps with the same number",
                                       map.kind().components(), other.kind().components()));
  const Index size = map.local_size();
  for_all_components(map, other, [&](const backend::ArrayOps<T>& ops, Index c, T* values, const T* more) {
    ops.combine(static_cast<T>(other_factors[core::at(c)]), more, static_cast<T>(factors[core::at(c)]), values, size);
  });
}

template <class T>
void multiply(transform::MapField<T>& map, const transform::MapField<T>& other) {
  check_same_pixels(map, other);
  const Index size = map.local_size();
  for_all_components(map, other, [&](const backend::ArrayOps<T>& ops, Index, T* values, const T* more) {
    ops.multiply(more, values, size);
  });
}

template void scale<float>(transform::MapField<float>&, std::span<const double>);
template void add<float>(transform::MapField<float>&, double);
template void add<float>(transform::MapField<float>&, std::span<const double>, const transform::MapField<float>&,
                         std::span<const double>);
template void multiply<float>(transform::MapField<float>&, const transform::MapField<float>&);
template void scale<double>(transform::MapField<double>&, std::span<const double>);
template void add<double>(transform::MapField<double>&, double);
template void add<double>(transform::MapField<double>&, std::span<const double>, const transform::MapField<double>&,
                          std::span<const double>);
template void multiply<double>(transform::MapField<double>&, const transform::MapField<double>&);

}  // namespace armilla::ops
