#pragma once

#include <kernels/core/stream.hpp>
#include <kernels/rings/ring_chunk.hpp>

namespace armilla::kernels {

/// Rings of at most this many pixels are transformed by products with all roots of unity, directly between Delta and
/// the map.
inline constexpr int kShortRing = 32;

/// Units of short rings. Only these members of the chunk are used: `units`, `first`, `count`, `capacity` = count, and
/// parts = 1.
template <template <class> class Pointer, class T, class Delta, class Map>
struct ShortTaskOf {
  RingChunkOf<Pointer, T> chunk;
  RingLayoutOf<Pointer> layout;
  PhaseTablesOf<Pointer, T> phases;
  Pointer<Delta> delta;  ///< complex
  Pointer<Map> map;
  Pointer<const double> factor;  ///< [slot], null for 1

  GridSize grid() const { return grid_of(chunk, 1, 1); }
};
template <class T, class Delta, class Map>
using ShortTask = ShortTaskOf<KernelPointer, T, Delta, Map>;
template <class T, class Delta, class Map>
using DeviceShortTask = ShortTaskOf<DevicePointer, T, Delta, Map>;

template <class T>
using ShortSynthesis = ShortTask<T, const T, T>;
template <class T>
using DeviceShortSynthesis = DeviceShortTask<T, const T, T>;
template <class T>
using ShortAdjoint = ShortTask<T, T, const T>;
template <class T>
using DeviceShortAdjoint = DeviceShortTask<T, T, const T>;

/// Delta -> pixels, like fft::RingTransform::synthesis.
void short_synthesis(const DeviceShortSynthesis<float>& task, StreamHandle stream);
void short_synthesis(const DeviceShortSynthesis<double>& task, StreamHandle stream);

/// Pixels -> Delta, like fft::RingTransform::adjoint.
void short_adjoint(const DeviceShortAdjoint<float>& task, StreamHandle stream);
void short_adjoint(const DeviceShortAdjoint<double>& task, StreamHandle stream);

}  // namespace armilla::kernels
