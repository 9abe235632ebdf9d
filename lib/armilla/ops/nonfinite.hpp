#pragma once

#include <armilla/core/types.hpp>

#include <span>

namespace armilla::ops {

using core::Index;

/// How many numbers are not finite.
struct NonfiniteCount {
  Index nan = 0;
  Index infinite = 0;
  Index total() const { return nan + infinite; }
};

/// Of numbers as they are in `precision`: larger ones than that holds are infinite. Not collective.
template <class T>
NonfiniteCount count_nonfinite(std::span<const T> numbers, core::Precision precision);

}  // namespace armilla::ops
