#include <armilla/core/instantiate.hpp>
#include <armilla/ops/nonfinite.hpp>

#include <cmath>
#include <limits>

namespace armilla::ops {

namespace {

template <class Stored, class T>
NonfiniteCount count_as(std::span<const T> numbers) {
  const auto count = static_cast<Index>(numbers.size());
  const T* values = numbers.data();
  constexpr Stored kLargest = std::numeric_limits<Stored>::max();
  Index finite = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : finite)
  for (Index i = 0; i < count; ++i) finite += std::abs(static_cast<Stored>(values[i])) <= kLargest ? 1 : 0;
  if (finite == count) return {};
  NonfiniteCount found;
  for (const T value : numbers)
    if (std::isnan(value)) ++found.nan;
  found.infinite = count - finite - found.nan;
  return found;
}

}  // namespace

template <class T>
NonfiniteCount count_nonfinite(std::span<const T> numbers, core::Precision precision) {
  return precision == core::Precision::kSingle ? count_as<float>(numbers) : count_as<T>(numbers);
}

ARMILLA_INSTANTIATE(count_nonfinite);

}  // namespace armilla::ops
