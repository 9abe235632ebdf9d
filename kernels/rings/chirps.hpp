#pragma once

#include <kernels/core/stream.hpp>
#include <kernels/rings/ring_chunk.hpp>

namespace armilla::kernels {

/// Tables of the chirps of some lengths; pointers are of the device.
template <class T>
struct ChirpTask {
  const int* part;  ///< [chirp] numbers of a line that count
  int count;        ///< chirps
  int capacity;     ///< lines of `values`; those past `count` are set to zero
  int length;       ///< of a line, at least 2 part - 1
  Index stride;     ///< of a line of the tables, at least part
  T* chirp;         ///< exp(-i pi j^2 / part)
  T* twiddle;       ///< exp(-2 pi i k / (4 part))
  T* values;        ///< conjugate chirp / length at j and at length - j: to be transformed into the filter

  static constexpr int kTile = 128;
  GridSize grid() const { return {(capacity + kColumns - 1) / kColumns, (length + kTile - 1) / kTile}; }
};

void make_chirps(const ChirpTask<float>& task, StreamHandle stream);
void make_chirps(const ChirpTask<double>& task, StreamHandle stream);

/// A chunk whose lines are chirped, and the columns of it: multiplied by the filter between both transforms.
template <class T>
struct ChirpedTask {
  RingChunk<T> chunk;
  RingLayout layout;

  static constexpr int kTile = 128;
  GridSize multiply_grid() const { return grid_of(chunk, chunk.length, kTile); }
};

/// The lines times the filter of each column.
void multiply(const ChirpedTask<float>& task, StreamHandle stream);
void multiply(const ChirpedTask<double>& task, StreamHandle stream);

}  // namespace armilla::kernels
