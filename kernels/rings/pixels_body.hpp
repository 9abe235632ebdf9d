#pragma once

#include <kernels/rings/chirps_body.hpp>
#include <kernels/rings/pixels.hpp>

namespace armilla::kernels {

/// Writes one pixel of each ring of a column.
template <class T>
HOST_DEVICE inline void write_pixel(KernelPointer<T> map, KernelPointer<const double> factors, const RingColumn& column,
                                    Index j, ComplexNumber<T> z) {
  const T sides[2] = {z.re, z.im};
  for (int side = 0; side < 2; ++side) {
    if (column.slot[side] < 0) continue;
    const T factor = factors == nullptr ? T(1) : static_cast<T>(factors[column.slot[side]]);
    map[column.pixel[side] + j] = sides[side] * factor;
  }
}

template <class T>
HOST_DEVICE inline ComplexNumber<T> read_pixel(KernelPointer<const T> map, const RingColumn& column, Index j) {
  const T first = map[column.pixel[0] + j];
  return {first, column.slot[1] < 0 ? T(0) : map[column.pixel[1] + j]};
}

/// Pixels of a column from its lines.
template <class T>
struct WritePixels {
  static constexpr int kItems = PixelTask<T, T>::kTile / kLanes;

  PixelTask<T, T> task;

  GridSize grid() const { return task.write_grid(); }
  HOST_DEVICE void operator()(RingBlock block, const RingColumn& column, int thread) const {
    const RingChunk<T>& chunk = task.chunk;
    const int begin = block.tile * task.kTile + thread % kLanes;
    if (chunk.chirps.chirp == nullptr) {
      ComplexNumber<T> z[kItems];
      for (int i = 0; i < kItems; ++i) {
        z[i] = {0, 0};
        if (begin + i * kLanes < column.part) z[i] = load(chunk.values, column.line + begin + i * kLanes);
      }
      for (int i = 0; i < kItems; ++i)
        if (begin + i * kLanes < column.part)
          write_pixel(task.map, task.factor, column, begin + i * kLanes, swapped(z[i]));
      return;
    }
    for (int i = 0; i < kItems; ++i) {
      const int j = begin + i * kLanes;
      if (j >= column.part) return;
      ComplexNumber<T> out[4] = {};
      if (chunk.parts == 1)
        combine_parts<1>(chunk, column, j, out);
      else
        combine_parts<4>(chunk, column, j, out);
      write_pixel(task.map, task.factor, column, j, swapped(out[0]));
      if (chunk.parts == 1) continue;
      for (int q = 1; q < 4; ++q)
        write_pixel(task.map, task.factor, column, j + Index{q} * column.part, swapped(out[q]));
    }
  }
};

/// The lines of a column from its pixels.
template <class T>
struct ReadPixels {
  using Task = PixelTask<T, const T>;
  static constexpr int kItems = Task::kTile / kLanes;

  Task task;

  GridSize grid() const { return task.read_grid(); }
  HOST_DEVICE void operator()(RingBlock block, const RingColumn& column, int thread) const {
    const RingChunk<T>& chunk = task.chunk;
    if (block.column(thread) >= chunk.capacity) return;
    const int begin = block.tile * task.kTile + thread % kLanes;
    PlacedNumber<T> numbers[kItems];
    for (int i = 0; i < kItems; ++i) {
      const int j = begin + i * kLanes;
      numbers[i] = {-1, {0, 0}};
      if (j < column.nphi) numbers[i] = placed_number(chunk, column, j, read_pixel(task.map, column, j));
    }
    for (int i = 0; i < kItems; ++i)
      if (numbers[i].place >= 0) store(chunk.values, numbers[i].place, numbers[i].z);
    const int tiles = static_cast<int>(task.read_grid().y);
    pad_lines(chunk, column, block.tile * kLanes + thread % kLanes, tiles * kLanes);
  }
};

}  // namespace armilla::kernels
