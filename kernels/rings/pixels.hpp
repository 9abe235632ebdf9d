#pragma once

#include <kernels/core/stream.hpp>
#include <kernels/rings/ring_chunk.hpp>

namespace armilla::kernels {

/// Arguments of the kernels between the map and the lines of a chunk of rings.
template <template <class> class Pointer, class T, class Map>
struct PixelTaskOf {
  RingChunkOf<Pointer, T> chunk;
  RingLayoutOf<Pointer> layout;
  Pointer<Map> map;
  Pointer<const double> factor;  ///< [slot], null for 1; used by `write_pixels` only

  /// Values of a line per block.
  static constexpr int kTile = 128;

  GridSize write_grid() const { return grid_of(chunk, chunk.max_nphi / chunk.parts, kTile); }
  HOST_DEVICE GridSize read_grid() const { return grid_of(chunk, chunk.max_nphi, kTile); }
};
template <class T, class Map>
using PixelTask = PixelTaskOf<KernelPointer, T, Map>;
template <class T, class Map>
using DevicePixelTask = PixelTaskOf<DevicePointer, T, Map>;

/// Pixels of the chunk's rings from transformed lines, real and imaginary part exchanged (see `fold`), times `factor`.
/// For chirped lines the last step is done here: chirp, twiddles and the butterfly of the four parts.
void write_pixels(const DevicePixelTask<float, float>& task, StreamHandle stream);
void write_pixels(const DevicePixelTask<double, double>& task, StreamHandle stream);

/// Lines to transform from the pixels: a unit's first ring is the real part, its second one the imaginary part.
void read_pixels(const DevicePixelTask<float, const float>& task, StreamHandle stream);
void read_pixels(const DevicePixelTask<double, const double>& task, StreamHandle stream);

}  // namespace armilla::kernels
