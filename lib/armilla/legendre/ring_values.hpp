#pragma once

#include <armilla/legendre/task.hpp>

#include <complex>

namespace armilla::legendre {

/// Delta at the two rings of a pair, for one component and map; 0 for an absent ring.
template <class T>
struct RingValues {
  std::complex<T> north;
  std::complex<T> south;
};

/// Reads Delta of the local m with index k at a pair; `w` = component * maps + map.
template <class T>
RingValues<T> load_rings(const Task& task, const std::complex<T>* delta, Index k, Index pair, Index w) {
  const Index north = task.north_slot[static_cast<std::size_t>(pair)];
  const Index south = task.south_slot[static_cast<std::size_t>(pair)];
  return {north >= 0 ? delta[task.delta_position(k, pair, north) + w] : std::complex<T>(0),
          south >= 0 ? delta[task.delta_position(k, pair, south) + w] : std::complex<T>(0)};
}

/// Writes Delta to the present rings of a pair.
template <class T>
void store_rings(const Task& task, std::complex<T>* delta, Index k, Index pair, Index w, const RingValues<T>& values) {
  const Index north = task.north_slot[static_cast<std::size_t>(pair)];
  const Index south = task.south_slot[static_cast<std::size_t>(pair)];
  if (north >= 0) delta[task.delta_position(k, pair, north) + w] = values.north;
  if (south >= 0) delta[task.delta_position(k, pair, south) + w] = values.south;
}

}  // namespace armilla::legendre
