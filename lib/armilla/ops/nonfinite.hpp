#pragma once

#include <armilla/core/types.hpp>

#include <span>

namespace armilla::ops {

using core::Index;

/// Counts of non-finite values.
struct NonfiniteCount {
  Index nan = 0;
  Index infinite = 0;
  Index total() const { return nan + infinite; }
};

/// Not collective. Counts non-finite values after conversion to `precision`; values beyond its range count as infinite.
template <class T>
NonfiniteCount count_nonfinite(std::span<const T> numbers, core::Precision precision);

}  // namespace armilla::ops
