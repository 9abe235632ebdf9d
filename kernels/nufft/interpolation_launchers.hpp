#pragma once

#include <kernels/core/team.hpp>
#include <kernels/nufft/window_weights.hpp>

/// The interpolation of nufft.hpp: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// Interpolation of F fields at the points of a chunk. A block copies the patch of its cell to shared memory. A thread
/// processes one point at a time, with its weights in registers. The summation order of a point does not depend on
/// other fields.
template <class T, int W, int F>
struct InterpolatePoints {
  using Lane = Nothing;
  static constexpr int kThreads = 128;
  static constexpr int kResidentBlocks = F == 1 ? 5 : 4;  ///< limited by shared memory, and without register spills
  static constexpr int kRows = nufft_patch_rows(W), kColumns = nufft_patch_columns(W);
  static constexpr int kPitch = 33;  ///< odd, because lanes read arbitrary columns
  struct Shared {
    T samples[F][kRows * kPitch];
  };

  NufftInterpolationOf<KernelPointer, T> task;
  Index first_field, groups;

  GridSize grid() const { return {task.chunks.count, groups}; }

  HOST_DEVICE void load(const NufftChunk& chunk, Index field, Shared& shared, int thread) const {
    for (int i = chunk.rows_begin * kColumns + thread; i < chunk.rows_end * kColumns; i += kThreads) {
      const int row = i / kColumns, column = i % kColumns;
      Index from = chunk.column + column;
      if (from >= task.rows.columns) from -= task.rows.columns;
      unrolled<F>(
          [&]<int f>() { shared.samples[f][row * kPitch + column] = task.rows.row(chunk.row + row, field + f)[from]; });
    }
  }

  /// The sum over a row of a window.
  HOST_DEVICE static T row_sum(const T* samples, const T (&phi)[W]) {
    T sum = 0;
    unrolled<W>([&]<int k>() { sum = std::fma(phi[k], samples[k], sum); });
    return sum;
  }

  HOST_DEVICE void interpolate(const NufftPoint<T>& point, Index field, const Shared& shared) const {
    T phi[W];
    unrolled<kWeightPairs<W>>([&]<int j>() {
      const WeightPair<T> weights = window_weights<W>(task.window, j, point.z_phi);
      phi[W - 1 - j] = weights.last;
      phi[j] = weights.first;
    });
    const int start = point.row * kPitch + point.column;
    T sums[F] = {};
    core::rolled<1>(kWeightPairs<W>, [&](int j) {
      const WeightPair<T> weights = window_weights<W>(task.window, j, point.z_theta);
      unrolled<F>([&]<int f>() {
        const T* samples = shared.samples[f] + start;
        sums[f] = std::fma(weights.first, row_sum(samples + j * kPitch, phi), sums[f]);
        if (j != W - 1 - j) sums[f] = std::fma(weights.last, row_sum(samples + (W - 1 - j) * kPitch, phi), sums[f]);
      });
    });
    unrolled<F>([&]<int f>() { task.values[(field + f) * task.value_stride + point.number] = sums[f]; });
  }

  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    const NufftChunk chunk = task.chunks.chunks[block.x];
    const Index field = first_field + block.y * F;
    team.each([&](Nothing&, int thread) { load(chunk, field, team.shared(), thread); });
    team.barrier();
    team.each([&](Nothing&, int thread) {
      for (int i = thread; i < chunk.count; i += kThreads)
        interpolate(task.chunks.points[chunk.begin + i], field, team.shared());
    });
  }
};

template <class T>
void interpolate_points(const DeviceNufftInterpolation<T>& task, StreamHandle stream) {
  for_field_groups<InterpolatePoints, T>(task.window.width, task.fields, [&]<class Body>(Index first, Index groups) {
    launch_team(Body{in_kernel(task), first, groups}, "interpolation at points", stream);
  });
}

}  // namespace armilla::kernels
