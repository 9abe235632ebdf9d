#pragma once

#include <kernels/core/arithmetic.hpp>
#include <kernels/lensing/displacement.hpp>

namespace armilla::kernels {

// Displacement of the pixels of a map, and rotation of the values found there. T is float or double.

/// The rings of a component of a map.
template <template <class> class Pointer>
struct MapRingsOf {
  PixelRingsOf<Pointer> pixels;
  Pointer<const MapRing> rings;
};

/// theta, phi, gamma [pixel] = angles of the pixels after displacement by the vectors (Displacement).
template <template <class> class Pointer, class T>
struct PixelDisplacementOf {
  MapRingsOf<Pointer> rings;
  Pointer<const T> south, east;
  Index count;  ///< of pixels
  Pointer<double> theta, phi, gamma;
};
template <class T>
using DevicePixelDisplacement = PixelDisplacementOf<DevicePointer, T>;
template <class T>
void displace_pixels(const DevicePixelDisplacement<T>& task, StreamHandle stream);

/// Multiplies first + i second [pixel] by exp(i spin gamma).
template <template <class> class Pointer, class T>
struct TensorTurnOf {
  double spin;
  Pointer<const double> gamma;
  Index count;
  Pointer<T> first, second;
};
template <class T>
using DeviceTensorTurn = TensorTurnOf<DevicePointer, T>;
template <class T>
void turn_tensors(const DeviceTensorTurn<T>& task, StreamHandle stream);

/// found[block] = the faults of some pixels.
template <template <class> class Pointer, class T>
struct FaultSearchOf {
  static constexpr Index kMostBlocks = 512;

  Pointer<const T> south, east;
  Pointer<const T> determinant;  ///< null: none
  Index count;                   ///< of pixels
  Index blocks;                  ///< at most kMostBlocks
  Pointer<DeflectionFaults> found;
};
template <class T>
using DeviceFaultSearch = FaultSearchOf<DevicePointer, T>;
template <class T>
void find_faults(const DeviceFaultSearch<T>& task, StreamHandle stream);

/// to = factors from [pixel], in double; null factors are 1.
template <template <class> class Pointer, class T>
struct PixelScalingOf {
  Pointer<const double> factors;
  Pointer<const T> from;
  Pointer<T> to;
  Index count;
};
template <class T>
using DevicePixelScaling = PixelScalingOf<DevicePointer, T>;
template <class T>
void scale_pixels(const DevicePixelScaling<T>& task, StreamHandle stream);

}  // namespace armilla::kernels
