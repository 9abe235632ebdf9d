#pragma once

#include <kernels/core/team.hpp>
#include <kernels/nufft/tensor_cells.hpp>

namespace armilla::kernels {

/// Sums over the points of a chunk, sorted by sub-cells, for a field. A warp adds the products of the weights of four
/// points at a time, along theta and along phi times their values, to the tile of a sub-cell, which it has in
/// registers, and the tile to the patch of the cell in shared memory. Sub-cells whose tiles overlap come in different
/// phases. The summation order of a sample therefore depends only on the points of the chunk. Values must be finite: a
/// value that is not spreads to a whole tile.
template <int W>
struct TensorSpreading {
  using Cells = TensorCells<W>;
  using Weights = TensorWeights<W>;
  static constexpr int kThreads = Cells::kWarps * kWarp;
  static constexpr int kResidentBlocks = 5;  ///< limited by shared memory
  /// A quarter of a warp accesses two rows of eight samples. They are in different banks if rows are 24 samples apart.
  /// For 28 columns, these are exchanged by eights in every other row.
  static constexpr int kPitch = Cells::kColumns == 24 ? 24 : 32;
  HOST_DEVICE static constexpr int sample_place(int row, int column) {
    return row * kPitch + (kPitch == 24 ? column : column ^ row % 2 * 8);
  }
  static constexpr int kProductPoints = 4;
  static constexpr int kProducts = kTensorTile / 8;

  struct Lane {
    double theta[2];
    double phi[kProducts];
    double sums[kProducts][4];
  };
  struct Shared {
    Two samples[Cells::kRows * kPitch / 2];
    Weights weights[Cells::kWarps];
    int begins[Cells::kCount + 1];
  };

  NufftSpreadingOf<KernelPointer, double> task;

  GridSize grid() const { return {task.chunks.count, task.fields}; }

  /// Adds points first .. first + 3 of the weights. Duplicates have the value zero.
  template <class Warp>
  HOST_DEVICE static void multiply(Warp& warp, const Weights& weights, int first) {
    constexpr int kStride = Weights::kPitch;
    warp.each([&](Lane& lane, int own) {
      const int place = first + own % 4;
      const double* theta = weights.of(0, place, place) + own / 4 * kStride;
      const double* phi = weights.of(1, place, place) + own / 4 * kStride;
      unrolled<2>([&]<int half>() { lane.theta[half] = theta[8 * half * kStride]; });
      unrolled<kProducts>([&]<int n>() { lane.phi[n] = phi[8 * n * kStride]; });
    });
    unrolled<kProducts>([&]<int n>() {
      warp.multiply_add([](const Lane& lane) { return lane.theta; }, [](const Lane& lane) { return lane.phi[n]; },
                        [](Lane& lane) { return lane.sums[n]; });
    });
  }

  template <class Warp>
  HOST_DEVICE void spread(Warp& warp, const NufftChunk& chunk, int number, Index field, Shared& shared) const {
    const int begin = shared.begins[number], end = shared.begins[number + 1];
    if (begin == end) return;
    const NufftPoint<double>* points = task.chunks.points + chunk.begin;
    const double* from = task.values + field * task.value_stride;
    Weights& weights = shared.weights[warp.index()];
    warp.each([](Lane& lane, int) {
      unrolled<kProducts>([&]<int n>() { unrolled<4>([&]<int i>() { lane.sums[n][i] = 0; }); });
    });
    for (int first = begin; first < end; first += Weights::kPoints) {
      warp.sync();
      weights.make(
          warp, task.window, points, first, end, [](int place) { return place; },
          [&](const NufftPoint<double>& point, bool is_duplicate) { return is_duplicate ? 0 : from[point.number]; },
          [](const NufftPoint<double>&, int) {});
      for (int i = 0; i < Weights::kPoints && first + i < end; i += kProductPoints) multiply(warp, weights, i);
    }
    warp.each([&](const Lane& lane, int own) {
      unrolled<2>([&]<int half>() {
        const int row = Cells::first_row(number) + own / 4 + 8 * half;
        unrolled<kProducts>([&]<int n>() {
          Two& samples = shared.samples[sample_place(row, Cells::first_column(number) + 8 * n + own % 4 * 2) / 2];
          Two sum = samples;
          sum.a += lane.sums[n][2 * half];
          sum.b += lane.sums[n][2 * half + 1];
          samples = sum;
        });
      });
    });
  }

  HOST_DEVICE void store(const NufftChunk& chunk, Index number, Index field, const Shared& shared, int thread) const {
    constexpr int kColumns = nufft_patch_columns(W);
    const double* samples = &shared.samples[0].a;
    if (task.sums != nullptr) {
      double* sums = task.sums + (number * task.fields + field) * nufft_patch_size(W);
      for (int i = thread; i < nufft_patch_size(W); i += kThreads)
        sums[i] = samples[sample_place(i / kColumns, i % kColumns)];
      return;
    }
    for (int i = chunk.rows_begin * kColumns + thread; i < chunk.rows_end * kColumns; i += kThreads) {
      const int row = i / kColumns, column = i % kColumns;
      Index to = chunk.column + column;
      if (to >= task.rows.columns) to -= task.rows.columns;
      task.rows.row(chunk.row + row, field)[to] += samples[sample_place(row, column)];
    }
  }

  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    const NufftChunk chunk = task.chunks.chunks[block.x];
    team.each([&](Lane&, int thread) {
      for (int i = thread; i < Cells::kRows * kPitch / 2; i += kThreads) team.shared().samples[i] = {0, 0};
      Cells::find_begins(task.chunks.points + chunk.begin, chunk.count, team.shared().begins, thread);
    });
    team.each_warp([&](auto& warp) { team.shared().weights[warp.index()].clear(warp); });
    team.barrier();
    for (int phase = 0; phase < Cells::kPhases; ++phase) {
      team.each_warp(
          [&](auto& warp) { spread(warp, chunk, warp.index() * Cells::kPhases + phase, block.y, team.shared()); });
      team.barrier();
    }
    team.each([&](const Lane&, int thread) { store(chunk, block.x, block.y, team.shared(), thread); });
  }
};

}  // namespace armilla::kernels
