#pragma once

#include <armilla/core/instantiate.hpp>

#include <kernels/core/team.hpp>
#include <kernels/nufft/nufft.hpp>

/// The kernels of nufft.hpp between rows: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// Each thread processes one sample of the patch of a cell, for one field.
template <class T>
struct AddSums {
  static constexpr int kThreads = 128;

  NufftAdditionOf<KernelPointer, T> task;

  HOST_DEVICE Index tiles() const { return (nufft_patch_size(task.width) + kThreads - 1) / kThreads; }
  GridSize grid() const { return {task.count * tiles(), task.fields}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const NufftSums cell = task.cells[block.x / tiles()];
    const Index i = block.x % tiles() * kThreads + thread, size = nufft_patch_size(task.width);
    const int columns = nufft_patch_columns(task.width);
    const int row = static_cast<int>(i) / columns;
    if (i >= size || row < cell.cell.rows_begin || row >= cell.cell.rows_end) return;
    Index to = cell.cell.column + i % columns;
    if (to >= task.rows.columns) to -= task.rows.columns;
    T& sample = task.rows.row(cell.cell.row + row, block.y)[to];
    T sum = sample;
    for (Index chunk = cell.first; chunk < cell.end; ++chunk)
      sum += task.sums[(chunk * task.fields + block.y) * size + i];
    sample = sum;
  }
};

/// Copies between a row beyond a pole and the row that it mirrors; each thread processes one sample of one field.
template <class T, bool kFold>
struct MirrorRows {
  static constexpr int kThreads = 256;

  NufftMirrorsOf<KernelPointer, T> task;

  HOST_DEVICE Index tiles() const { return (task.rows.columns + kThreads - 1) / kThreads; }
  GridSize grid() const { return {task.count * tiles(), task.fields}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const NufftMirror mirror = task.mirrors[block.x / tiles()];
    const Index column = block.x % tiles() * kThreads + thread;
    if (column >= task.rows.columns) return;
    const Index half = task.rows.columns / 2, opposite = column < half ? column + half : column - half;
    const T sign = task.odd[block.y] != 0 ? T(-1) : T(1);
    T* past = task.rows.row(mirror.past, block.y);
    T* row = task.rows.row(mirror.row, block.y);
    if constexpr (kFold)
      row[column] += sign * past[opposite];
    else
      past[column] = sign * row[opposite];
  }
};

template <class T>
void add_sums(const DeviceNufftAddition<T>& task, StreamHandle stream) {
  launch_team(EachThread{AddSums<T>{in_kernel(task)}}, "sums of chunks of points", stream);
}

template <class T>
void fill_mirrors(const DeviceNufftMirrors<T>& task, StreamHandle stream) {
  launch_team(EachThread{MirrorRows<T, false>{in_kernel(task)}}, "rows past the poles", stream);
}

template <class T>
void fold_mirrors(const DeviceNufftMirrors<T>& task, StreamHandle stream) {
  launch_team(EachThread{MirrorRows<T, true>{in_kernel(task)}}, "sums of rows past the poles", stream);
}

ARMILLA_INSTANTIATE(add_sums);
ARMILLA_INSTANTIATE(fill_mirrors);
ARMILLA_INSTANTIATE(fold_mirrors);

}  // namespace armilla::kernels
