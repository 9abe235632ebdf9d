#pragma once

#include <kernels/core/stream.hpp>
#include <kernels/rings/ring_chunk.hpp>

namespace armilla::kernels {

/// Rings of at most this many pixels are transformed by products with all roots of unity, straight between Delta and
/// the map.
inline constexpr int kShortRing = 32;

/// Units of short rings; pointers are of the device. Of the chunk, `units`, `first`, `count`, `capacity` = count and
/// parts = 1 count.
template <class T, class Delta, class Map>
struct ShortTask {
  RingChunk<T> chunk;
  RingLayout layout;
  PhaseTables<T> phases;
  Delta* delta;  ///< complex
  Map* map;
  const double* factor;  ///< [slot], null for 1

  GridSize grid() const { return grid_of(chunk, 1, 1); }
};

template <class T>
using ShortSynthesis = ShortTask<T, const T, T>;
template <class T>
using ShortAdjoint = ShortTask<T, T, const T>;

/// Delta -> pixels, as fft::RingTransform::synthesis.
void short_synthesis(const ShortSynthesis<float>& task, StreamHandle stream);
void short_synthesis(const ShortSynthesis<double>& task, StreamHandle stream);

/// Pixels -> Delta, as fft::RingTransform::adjoint.
void short_adjoint(const ShortAdjoint<float>& task, StreamHandle stream);
void short_adjoint(const ShortAdjoint<double>& task, StreamHandle stream);

}  // namespace armilla::kernels
