#pragma once

#include <kernels/core/complex_number.hpp>
#include <kernels/core/team.hpp>

namespace armilla::kernels {

/// Rings of one complex transform: a ring as real part and possibly a second ring with equal numbers of pixels and m,
/// usually its mirror image, as imaginary part.
struct RingUnit {
  Index slot[2];   ///< of both rings in Delta and in the factors; -1 if there is none
  Index pixel[2];  ///< first pixels in a component of the map
  int nphi;
  int m_count;   ///< Delta_m exists for m = 0 .. m_count - 1
  int phase[2];  ///< index of the table of exp(i m phi0); -1 if phi0 = 0
  int chirp;     ///< index of the chirp among those of its group
};

/// exp(i m phi0) as low[m mod kLow] * high[m / kLow], low and high of one phi0 in one line of `stride` values.
template <template <class> class Pointer, class T>
struct PhaseTablesOf {
  static constexpr int kLow = 64;

  Pointer<const T> values;
  Index stride;

  HOST_DEVICE ComplexNumber<T> at(int number, Index m) const {
    const T* line = values + 2 * stride * number;
    return load(line, m % kLow) * load(line, kLow + m / kLow);
  }
};
template <class T>
using PhaseTables = PhaseTablesOf<KernelPointer, T>;
template <class T>
using DevicePhaseTables = PhaseTablesOf<DevicePointer, T>;

/// Location of Delta and the map: Delta_m of slot s and w = component * maps + map is at m_shift[m] + s * width + w;
/// pixels start at map_stride * map + component_stride * component.
template <template <class> class Pointer>
struct RingLayoutOf {
  Pointer<const Index> m_shift;
  int width;
  int maps;
  Index component_stride;
  Index map_stride;
};
using RingLayout = RingLayoutOf<KernelPointer>;
using DeviceRingLayout = RingLayoutOf<DevicePointer>;

/// Tables of chirped transforms, one line for each chirp.
template <template <class> class Pointer, class T>
struct ChirpTablesOf {
  int first;                 ///< index of the first line
  Index stride;              ///< values in a line of `chirp` and `twiddle`
  Pointer<const T> chirp;    ///< exp(-i pi j^2 / part); null if the lines are transformed directly
  Pointer<const T> twiddle;  ///< exp(-2 pi i k / (4 part))
  Pointer<const T> filter;   ///< [line][length]
};
template <class T>
using ChirpTables = ChirpTablesOf<KernelPointer, T>;
template <class T>
using DeviceChirpTables = ChirpTablesOf<DevicePointer, T>;

/// Some columns of one group of rings, and the array in which they are transformed. A column is a unit at one w: column
/// = unit * width + w. It has `parts` (1 or 4) lines of `length` values. A direct transform of n values has one line,
/// with length = n. Chirped lines use part = n / parts values each, and line r has the values parts * j + r; with four
/// parts the spectrum is k = q * part + j, in line q.
template <template <class> class Pointer, class T>
struct RingChunkOf {
  Pointer<const RingUnit> units;  ///< of the group
  int first;                      ///< index of the first column in the group
  int count;                      ///< number of existing columns
  int capacity;                   ///< number of transformed columns; those past `count` are zero
  int max_nphi;                   ///< of all units
  int max_m;
  int parts;
  int length;
  ChirpTablesOf<Pointer, T> chirps;
  Pointer<T> values;  ///< [column][part][length], complex
};
template <class T>
using RingChunk = RingChunkOf<KernelPointer, T>;
template <class T>
using DeviceRingChunk = RingChunkOf<DevicePointer, T>;

/// Division of a chunk among blocks of threads: kColumns columns per block.
inline constexpr int kColumns = 8;
inline constexpr int kLanes = 32;
inline constexpr int kRingThreads = kColumns * kLanes;

/// Data of a column for the threads of a block; nphi = 0 past the last one.
struct RingColumn {
  Index row[2];    ///< slot * width + w, -1 if there is no ring
  Index pixel[2];  ///< of this component and map
  Index slot[2];
  Index line;   ///< index of its first line in the values of the chunk
  Index chirp;  ///< its line of the tables
  int nphi;
  int part;
  int m_count;
  int phase[2];
};

/// The column with this index in the chunk.
template <class T>
HOST_DEVICE inline RingColumn column_of(const RingChunk<T>& chunk, const RingLayout& layout, int index) {
  RingColumn column{{-1, -1}, {0, 0}, {-1, -1}, Index{index} * chunk.parts * chunk.length, 0, 0, 0, 0, {-1, -1}};
  if (index >= chunk.count) return column;
  const int number = (chunk.first + index) / layout.width;
  const int w = (chunk.first + index) % layout.width;
  const RingUnit& unit = chunk.units[number];
  const Index map = w / layout.maps * layout.component_stride + w % layout.maps * layout.map_stride;
  column.nphi = unit.nphi;
  column.part = unit.nphi / chunk.parts;
  column.m_count = unit.m_count;
  column.chirp = unit.chirp - chunk.chirps.first;
  for (int side = 0; side < 2; ++side) {
    column.slot[side] = unit.slot[side];
    column.row[side] = unit.slot[side] < 0 ? -1 : unit.slot[side] * layout.width + w;
    column.pixel[side] = map + unit.pixel[side];
    column.phase[side] = unit.phase[side];
  }
  return column;
}

/// Columns and tile (of m, k or pixels) of a block.
struct RingBlock {
  int columns;  ///< index of the block among those of columns
  int tile;

  HOST_DEVICE explicit RingBlock(BlockIndex block)
      : columns(static_cast<int>(block.x)), tile(static_cast<int>(block.y)) {}
  /// The column of a thread.
  HOST_DEVICE int column(int thread) const { return columns * kColumns + thread / kLanes; }
};

/// The grid for all columns and `numbers` values (of m, k or pixels) in tiles.
template <template <class> class Pointer, class T>
HOST_DEVICE inline GridSize grid_of(const RingChunkOf<Pointer, T>& chunk, int numbers, int tile) {
  return {(chunk.capacity + kColumns - 1) / kColumns, (numbers + tile - 1) / tile};
}

/// The first phase of a block: threads 0 .. kColumns - 1 determine its columns. A barrier must follow.
template <class T>
HOST_DEVICE inline void prepare_columns(const RingChunk<T>& chunk, const RingLayout& layout, RingBlock block,
                                        RingColumn* columns, int thread) {
  if (thread < kColumns) columns[thread] = column_of(chunk, layout, block.columns * kColumns + thread);
}

/// Sets the padding of all lines of a column to zero, as the `lane`-th of `lanes` threads.
template <class T>
HOST_DEVICE inline void pad_lines(const RingChunk<T>& chunk, const RingColumn& column, int lane, int lanes) {
  for (int r = 0; r < chunk.parts; ++r)
    for (Index j = column.part + lane; j < chunk.length; j += lanes)
      store(chunk.values, column.line + r * chunk.length + j, ComplexNumber<T>{0, 0});
}

/// A value and its address in the values of a chunk. With several values, all loads come before the stores, because the
/// device waits at a store that might alias the next load.
template <class T>
struct PlacedNumber {
  Index place;
  ComplexNumber<T> z;
};

/// Value i of the input of a column's transform, chirped if requested, and its address.
template <class T>
HOST_DEVICE inline PlacedNumber<T> placed_number(const RingChunk<T>& chunk, const RingColumn& column, int i,
                                                 ComplexNumber<T> z) {
  const int j = chunk.parts == 4 ? i / 4 : i;
  const int r = chunk.parts == 4 ? i % 4 : 0;
  if (chunk.chirps.chirp != nullptr) z = z * load(chunk.chirps.chirp, column.chirp * chunk.chirps.stride + j);
  return {column.line + r * Index{chunk.length} + j, z};
}

}  // namespace armilla::kernels
