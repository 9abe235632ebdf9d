#pragma once

#include <kernels/core/team.hpp>
#include <kernels/core/warp.hpp>
#include <kernels/nufft/window_weights.hpp>

/// The spreading of nufft.hpp: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// Sums over the points of a chunk for F fields. A block has the patch of its cell in shared memory. A thread owns the
/// samples of the patch whose row and column have certain remainders. It processes all points in order and adds the
/// contributions to its samples, at most two in each window. Each sample therefore has a single writer and a fixed
/// summation order.
template <class T, int W, int F>
struct SpreadPoints {
  using Lane = Nothing;
  static constexpr int kColumnThreads = W <= 8 ? 8 : 16;
  static constexpr int kRowThreads = 8;
  static constexpr int kThreads = kColumnThreads * kRowThreads;
  static constexpr int kWarps = kThreads / kWarp;
  static constexpr int kRows = nufft_patch_rows(W), kColumns = nufft_patch_columns(W);
  /// Samples that shared memory accesses at once, of a warp or in double precision of half a warp, are in different
  /// banks. They are in adjacent rows; if half a warp accesses a single row, any pitch is suitable.
  static constexpr int kPitch = kColumnThreads == 8 ? 24 : sizeof(T) == sizeof(double) ? kColumns : 48;
  /// Points whose weights are in shared memory at the same time, one per lane.
  static constexpr int kBatch = kWarp;
  /// Lanes store weights of neighbouring points, and load neighbouring weights of one point.
  static constexpr int kWeightPitch = kBatch + 1;
  static constexpr int kRowUnit = 256;
  static_assert(W <= kColumnThreads && kColumns <= kPitch);

  struct Shared {
    T samples[F][kRows * kPitch];
    T theta[W][kWeightPitch], phi[W][kWeightPitch];
    T values[F][kBatch];
    int start[kBatch];  ///< of the window: kRowUnit row + column
  };

  NufftSpreadingOf<KernelPointer, T> task;
  Index first_field, groups;

  GridSize grid() const { return {task.chunks.count, groups}; }

  /// Warps share the computation of the pairs of weights.
  HOST_DEVICE void prepare(const NufftChunk& chunk, int begin, Index field, Shared& shared, int thread) const {
    const int warp = thread / kWarp, lane = thread % kWarp;
    if (begin + lane >= chunk.count) return;
    const NufftPoint<T> point = task.chunks.points[chunk.begin + begin + lane];
    unrolled<kWeightPairs<W>>([&]<int j>() {
      if (j % kWarps != warp) return;
      const WeightPair<T> theta = window_weights<W>(task.window, j, point.z_theta);
      const WeightPair<T> phi = window_weights<W>(task.window, j, point.z_phi);
      shared.theta[W - 1 - j][lane] = theta.last;
      shared.phi[W - 1 - j][lane] = phi.last;
      shared.theta[j][lane] = theta.first;
      shared.phi[j][lane] = phi.first;
    });
    if (warp != kWarps - 1) return;
    shared.start[lane] = point.row * kRowUnit + point.column;
    unrolled<F>([&]<int f>() { shared.values[f][lane] = task.values[(field + f) * task.value_stride + point.number]; });
  }

  HOST_DEVICE static void add(int points, Shared& shared, int thread) {
    const int own_row = thread / kColumnThreads, own_column = thread % kColumnThreads;
    for (int p = 0; p < points; ++p) {
      const int first_row = shared.start[p] / kRowUnit, first_column = shared.start[p] % kRowUnit;
      const int k = (own_column - first_column) & (kColumnThreads - 1);
      int j = (own_row - first_row) & (kRowThreads - 1);
      if (k >= W) continue;
      const T phi = shared.phi[k][p];
      T weighed[F];
      unrolled<F>([&]<int f>() { weighed[f] = phi * shared.values[f][p]; });
      for (; j < W; j += kRowThreads) {
        const T theta = shared.theta[j][p];
        const int place = (first_row + j) * kPitch + first_column + k;
        unrolled<F>([&]<int f>() { shared.samples[f][place] = std::fma(theta, weighed[f], shared.samples[f][place]); });
      }
    }
  }

  HOST_DEVICE void store(const NufftChunk& chunk, Index number, Index field, const Shared& shared, int thread) const {
    if (task.sums != nullptr) {
      for (int i = thread; i < kRows * kColumns; i += kThreads)
        unrolled<F>([&]<int f>() {
          task.sums[(number * task.fields + field + f) * nufft_patch_size(W) + i] =
              shared.samples[f][i / kColumns * kPitch + i % kColumns];
        });
      return;
    }
    for (int i = chunk.rows_begin * kColumns + thread; i < chunk.rows_end * kColumns; i += kThreads) {
      const int row = i / kColumns, column = i % kColumns;
      Index to = chunk.column + column;
      if (to >= task.rows.columns) to -= task.rows.columns;
      unrolled<F>(
          [&]<int f>() { task.rows.row(chunk.row + row, field + f)[to] += shared.samples[f][row * kPitch + column]; });
    }
  }

  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    const NufftChunk chunk = task.chunks.chunks[block.x];
    const Index field = first_field + block.y * F;
    team.each([&](Nothing&, int thread) {
      T* samples = &team.shared().samples[0][0];
      for (int i = thread; i < F * kRows * kPitch; i += kThreads) samples[i] = 0;
    });
    for (int begin = 0; begin < chunk.count; begin += kBatch) {
      const int points = chunk.count - begin < kBatch ? chunk.count - begin : kBatch;
      team.each([&](Nothing&, int thread) { prepare(chunk, begin, field, team.shared(), thread); });
      team.barrier();
      team.each([&](Nothing&, int thread) { add(points, team.shared(), thread); });
      team.barrier();
    }
    team.each([&](Nothing&, int thread) { store(chunk, block.x, field, team.shared(), thread); });
  }
};

template <class T>
void spread_points(const DeviceNufftSpreading<T>& task, StreamHandle stream) {
  for_field_groups<SpreadPoints, T>(task.window.width, task.fields, [&]<class Body>(Index first, Index groups) {
    launch_team(Body{in_kernel(task), first, groups}, "spreading from points", stream);
  });
}

}  // namespace armilla::kernels
