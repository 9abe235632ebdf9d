#pragma once

#include <kernels/core/stream.hpp>
#include <kernels/rings/ring_chunk.hpp>

namespace armilla::kernels {

/// Tables of the chirps of some lengths.
template <template <class> class Pointer, class T>
struct ChirpTaskOf {
  Pointer<const int> part;  ///< [chirp] values of a line in use
  int count;                ///< chirps
  int capacity;             ///< lines of `values`; those past `count` are set to zero
  int length;               ///< of a line, at least 2 part - 1
  Index stride;             ///< of a line of the tables, at least part
  Pointer<T> chirp;         ///< exp(-i pi j^2 / part)
  Pointer<T> twiddle;       ///< exp(-2 pi i k / (4 part))
  Pointer<T> values;        ///< conjugate chirp / length at j and at length - j: to be transformed into the filter

  static constexpr int kTile = 128;
  GridSize grid() const { return {(capacity + kColumns - 1) / kColumns, (length + kTile - 1) / kTile}; }
};
template <class T>
using ChirpTask = ChirpTaskOf<KernelPointer, T>;
template <class T>
using DeviceChirpTask = ChirpTaskOf<DevicePointer, T>;

void make_chirps(const DeviceChirpTask<float>& task, StreamHandle stream);
void make_chirps(const DeviceChirpTask<double>& task, StreamHandle stream);

/// A chunk whose lines are chirped, and its columns, which are multiplied by the filter between both transforms.
template <template <class> class Pointer, class T>
struct ChirpedTaskOf {
  RingChunkOf<Pointer, T> chunk;
  RingLayoutOf<Pointer> layout;

  static constexpr int kTile = 128;
  GridSize multiply_grid() const { return grid_of(chunk, chunk.length, kTile); }
};
template <class T>
using ChirpedTask = ChirpedTaskOf<KernelPointer, T>;
template <class T>
using DeviceChirpedTask = ChirpedTaskOf<DevicePointer, T>;

/// Multiplies the lines by the filter of each column.
void multiply(const DeviceChirpedTask<float>& task, StreamHandle stream);
void multiply(const DeviceChirpedTask<double>& task, StreamHandle stream);

}  // namespace armilla::kernels
