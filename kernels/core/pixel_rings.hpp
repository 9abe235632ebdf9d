#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <kernels/core/device_pointer.hpp>

namespace armilla::kernels {

using core::Index;

/// The rings of a component of a map, one after the other.
template <template <class> class Pointer>
struct PixelRingsOf {
  Pointer<const Index> begin;  ///< [ring, and the end] first pixel
  Index rings;

  /// Index of the ring that contains a pixel.
  HOST_DEVICE Index find(Index pixel) const {
    Index low = 0;
    Index high = rings;
    while (high - low > 1) {
      const Index middle = (low + high) / 2;
      if (begin[middle] <= pixel)
        low = middle;
      else
        high = middle;
    }
    return low;
  }
};

/// Rings of HEALPix, with one value for each orbit of its symmetry: the pixels mapped onto each other by quarter turns
/// and phi -> -phi (grid::HealpixOrbits).
template <template <class> class Pointer>
struct PixelOrbitsOf {
  PixelRingsOf<Pointer> rings;
  Pointer<const Index> quarter;  ///< [ring] pixels of a quarter of it
  Pointer<const Index> shifted;  ///< [ring] 1 if the first pixel is half a pixel from phi = 0, 0 if it is at phi = 0
  Pointer<const Index> first;    ///< [ring] its first orbit

  HOST_DEVICE Index orbit(Index pixel) const {
    const Index ring = rings.find(pixel);
    const Index pixels = quarter[ring];
    const Index j = (pixel - rings.begin[ring]) % pixels;
    const Index mirrored = pixels - shifted[ring] - j;
    return first[ring] + (j < mirrored ? j : mirrored);
  }
};
using PixelOrbits = PixelOrbitsOf<KernelPointer>;
using DevicePixelOrbits = PixelOrbitsOf<DevicePointer>;

}  // namespace armilla::kernels
