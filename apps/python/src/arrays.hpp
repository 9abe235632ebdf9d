#pragma once

#include <span>
#include <utility>
#include <vector>

#include "binding.hpp"
#include <nanobind/ndarray.h>

namespace armilla::python {

/// A contiguous array of Python on the host, [..][T].
template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

/// The values of an array, without a copy.
template <class T>
std::span<T> span_of(const Array<T>& array) {
  return {array.data(), array.size()};
}

/// A numpy array that owns the values.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> numpy_array(std::vector<T> values) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<T>*>(data); });
  return {kept->data(), {kept->size()}, owner};
}

}  // namespace armilla::python
