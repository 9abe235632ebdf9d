#include <armilla/api/places.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <utility>

#include <fmt/format.h>

namespace armilla::api {

using core::at;

Places::Places(const Strides& strides, Index maps, Index components, Index count, std::size_t size)
    : index(strides.index) {
  component = strides.component.value_or(index * count);
  map = strides.map.value_or(component * components);
  std::array axes{std::pair(index, count), std::pair(component, components), std::pair(map, maps)};
  std::ranges::sort(axes);
  Index extent = count == 0 ? 0 : 1;
  for (const auto& [stride, values] : axes) {
    if (values < 2 || count == 0) continue;
    if (stride < extent)
      throw InputError(fmt::format(
          "strides map = {}, component = {}, index = {} let values overlap, for {} maps of {} components of "
          "{} values: use larger strides",
          map, component, index, maps, components, count));
    extent += stride * (values - 1);
  }
  const bool is_packed = !strides.map && !strides.component && index == 1;
  if (size < at(extent) || (is_packed && size != at(extent)))
    throw InputError(fmt::format("the array has {} values, but {} maps of {} components of {} values need {}", size,
                                 maps, components, count, extent));
}

namespace {

// copy(place in a packed array of `packed` values, place in the strided array of `size` values) for all values.
template <class Copy>
void for_each_value(const Strides& strides, Index maps, Index components, std::size_t packed, std::size_t size,
                    const Copy& copy) {
  constexpr Index kBlock = 256;
  const Index count = static_cast<Index>(packed) / (maps * components);
  const Places places(strides, maps, components, count, size);
#pragma omp parallel for schedule(static)
  for (Index block = 0; block < (count + kBlock - 1) / kBlock; ++block) {
    const Index first = block * kBlock, last = std::min(count, first + kBlock);
    for (Index k = 0; k < maps; ++k)
      for (Index c = 0; c < components; ++c)
        for (Index i = first; i < last; ++i)
          copy(at((k * components + c) * count + i), at(places.first(k, c) + i * places.index));
  }
}

}  // namespace

template <class Value>
void copy_to_strides(std::span<const Value> packed, std::span<Value> values, const Strides& strides, Index maps,
                     Index components) {
  for_each_value(strides, maps, components, packed.size(), values.size(),
                 [&](std::size_t from, std::size_t to) { values[to] = packed[from]; });
}

template <class Value>
void copy_from_strides(std::span<const Value> values, std::span<Value> packed, const Strides& strides, Index maps,
                       Index components) {
  for_each_value(strides, maps, components, packed.size(), values.size(),
                 [&](std::size_t to, std::size_t from) { packed[to] = values[from]; });
}

#define ARMILLA_COPY_STRIDES(VALUE)                                                                      \
  template void copy_to_strides(std::span<const VALUE>, std::span<VALUE>, const Strides&, Index, Index); \
  template void copy_from_strides(std::span<const VALUE>, std::span<VALUE>, const Strides&, Index, Index)
ARMILLA_COPY_STRIDES(float);
ARMILLA_COPY_STRIDES(double);
ARMILLA_COPY_STRIDES(std::complex<float>);
ARMILLA_COPY_STRIDES(std::complex<double>);
#undef ARMILLA_COPY_STRIDES

}  // namespace armilla::api
