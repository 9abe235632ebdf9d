#pragma once

#include <armilla/core/types.hpp>

#include <numeric>
#include <span>
#include <vector>

#include <omp.h>

/// Parts of the points of a rank, given by the indices of their points.
namespace armilla::points {

using core::Index;

/// to[numbers[i]] = from[i]
template <class T>
void scatter(const T* from, std::span<const Index> numbers, T* to) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < numbers.size(); ++i) to[numbers[i]] = from[i];
}

/// Indices of the points in one hemisphere, ascending.
inline std::vector<Index> in_hemisphere(std::span<const double> theta, bool north) {
  const auto count = static_cast<Index>(theta.size());
  const Index parts = omp_get_max_threads();
  const auto begin = [&](Index part) { return count * part / parts; };
  const auto is_in = [&](Index i) { return (theta[core::at(i)] < core::kPi / 2) == north; };
  std::vector<Index> places(core::at(parts + 1), 0);
#pragma omp parallel for schedule(static, 1)
  for (Index part = 0; part < parts; ++part)
    for (Index i = begin(part); i < begin(part + 1); ++i) places[core::at(part + 1)] += is_in(i) ? 1 : 0;
  std::partial_sum(places.begin(), places.end(), places.begin());
  std::vector<Index> numbers(core::at(places.back()));
#pragma omp parallel for schedule(static, 1)
  for (Index part = 0; part < parts; ++part) {
    Index place = places[core::at(part)];
    for (Index i = begin(part); i < begin(part + 1); ++i)
      if (is_in(i)) numbers[core::at(place++)] = i;
  }
  return numbers;
}

/// to[i] = from[numbers[i]]
template <class T>
void gather(const T* from, std::span<const Index> numbers, T* to) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < numbers.size(); ++i) to[i] = from[numbers[i]];
}

}  // namespace armilla::points
