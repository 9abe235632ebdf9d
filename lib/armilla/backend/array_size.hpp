#pragma once

#include <armilla/core/types.hpp>

namespace armilla::backend {

using core::Index;

/// The largest number of values of one type in an array on a device. A struct of sizes lists the arrays of a class,
/// computed without a device: the class allocates its arrays with these sizes, or shorter ones for tables that turn out
/// shorter, and estimates add up the same sizes.
template <class T>
struct ArraySize {
  using Number = T;
  Index count = 0;
  Index bytes() const { return count * static_cast<Index>(sizeof(T)); }
};

/// Bytes of all arrays of such a struct, whose visit(f) calls f(size) for each of them.
template <class Sizes>
Index bytes_of(const Sizes& sizes) {
  Index bytes = 0;
  sizes.visit([&](const auto& size) { bytes += size.bytes(); });
  return bytes;
}

}  // namespace armilla::backend
