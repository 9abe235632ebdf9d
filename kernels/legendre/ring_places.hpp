#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <kernels/core/device_pointer.hpp>

namespace armilla::kernels {

using core::Index;

/// Delta at the two rings of a pair, for one component and map; 0 for an absent ring.
struct RingNumbers {
  double north[2];  ///< real, imaginary
  double south[2];
};

/// Start of Delta of the two rings of a pair, with all components and maps of one m stored side by side; -1 for an
/// absent ring. Delta is passed as an array of real numbers, and `w` = component * maps + map.
struct PairPlace {
  Index north;
  Index south;

  template <class T>
  HOST_DEVICE RingNumbers load(const T* delta, Index w) const {
    RingNumbers numbers{};
    for (int part = 0; part < 2; ++part) {
      if (north >= 0) numbers.north[part] = static_cast<double>(delta[2 * (north + w) + part]);
      if (south >= 0) numbers.south[part] = static_cast<double>(delta[2 * (south + w) + part]);
    }
    return numbers;
  }
  template <class T>
  HOST_DEVICE void store(T* delta, Index w, const RingNumbers& numbers) const {
    for (int part = 0; part < 2; ++part) {
      if (north >= 0) delta[2 * (north + w) + part] = static_cast<T>(numbers.north[part]);
      if (south >= 0) delta[2 * (south + w) + part] = static_cast<T>(numbers.south[part]);
    }
  }
};

/// Location of Delta of the rings of a grid, as in legendre::Task: `width` values of the k-th local m, ring slot s of
/// block b, starting at block_shift[k * blocks + b] + s * width.
template <template <class> class Pointer>
struct RingPlacesOf {
  Index width = 0;                             ///< components * maps
  Index blocks = 0;                            ///< of rings
  Pointer<const Index> block_shift = nullptr;  ///< [local m][block]
  Pointer<const int> pair_block = nullptr;     ///< [pair]
  Pointer<const Index> north_slot = nullptr;   ///< [pair] or -1
  Pointer<const Index> south_slot = nullptr;   ///< [pair] or -1

  HOST_DEVICE PairPlace of(Index k, Index pair) const {
    const Index shift = block_shift[k * blocks + pair_block[pair]];
    const Index north = north_slot[pair];
    const Index south = south_slot[pair];
    return {north < 0 ? Index{-1} : shift + north * width, south < 0 ? Index{-1} : shift + south * width};
  }
};
using RingPlaces = RingPlacesOf<KernelPointer>;

}  // namespace armilla::kernels
