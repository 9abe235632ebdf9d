#pragma once

#include <armilla/api/names.hpp>
#include <armilla/api/strides.hpp>

#include <cstddef>
#include <span>

namespace armilla::api {

/// Strides with all values, for `maps` maps of `components` components of `count` values each. Throws InputError if
/// values overlap, or if an array of `size` values is too short; without any strides, it must have exactly that size.
struct Places {
  Places(const Strides& strides, Index maps, Index components, Index count, std::size_t size);
  Index first(Index k, Index c) const { return k * map + c * component; }

  Index map, component, index;
};

/// Copies values from [map][component][i] to an array with strides, and the reverse, a block of indices after the
/// other, so that arrays with their index last pass through the caches once. Throws InputError like Places.
template <class Value>
void copy_to_strides(std::span<const Value> packed, std::span<Value> values, const Strides& strides, Index maps,
                     Index components);
template <class Value>
void copy_from_strides(std::span<const Value> values, std::span<Value> packed, const Strides& strides, Index maps,
                       Index components);

}  // namespace armilla::api
