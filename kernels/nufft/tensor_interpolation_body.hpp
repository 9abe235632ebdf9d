#pragma once

#include <kernels/core/team.hpp>
#include <kernels/nufft/tensor_cells.hpp>

namespace armilla::kernels {

/// Interpolation of a field at the points of a chunk, sorted by sub-cells. A block copies the patch of its cell to
/// shared memory. A warp multiplies the tile of a sub-cell, which it has in registers, by the weights along phi of
/// eight points at a time, then sums the products with their weights along theta. The summation order of a point does
/// not depend on other points and fields. Samples of a tile must be finite, also outside the windows.
template <int W>
struct TensorInterpolation {
  using Cells = TensorCells<W>;
  using Weights = TensorWeights<W>;
  static constexpr int kThreads = Cells::kWarps * kWarp;
  static constexpr int kResidentBlocks = 5;  ///< limited by shared memory
  /// Half a warp reads four columns of four rows: these are in different banks.
  static constexpr int kPitch = 28;
  static_assert(Cells::kColumns <= kPitch);
  static constexpr int kProductPoints = 8;
  static constexpr int kProducts = kTensorTile / 4;

  struct Lane {
    double tile[kProducts][2];
    double phi[kProducts];
    double product[4];  ///< of two rows and two points
    double sums[2];     ///< of these points
  };
  struct Shared {
    double samples[Cells::kRows * kPitch];
    Weights weights[Cells::kWarps];
    std::uint32_t numbers[Cells::kWarps][Weights::kPoints];
    int begins[Cells::kCount + 1];
  };

  NufftInterpolationOf<KernelPointer, double> task;

  GridSize grid() const { return {task.chunks.count, task.fields}; }

  HOST_DEVICE void load(const NufftChunk& chunk, Index field, Shared& shared, int thread) const {
    for (int i = thread; i < Cells::kRows * Cells::kColumns; i += kThreads) {
      const int row = i / Cells::kColumns, column = i % Cells::kColumns;
      double sample = 0;
      if (row >= chunk.rows_begin && row < chunk.rows_end && column < nufft_patch_columns(W)) {
        Index from = chunk.column + column;
        if (from >= task.rows.columns) from -= task.rows.columns;
        sample = task.rows.row(chunk.row + row, field)[from];
      }
      shared.samples[row * kPitch + column] = sample;
    }
  }

  /// The two points of a product that a lane has are adjacent. Lanes next to each other read adjacent weights.
  HOST_DEVICE static constexpr int theta_position(int place) {
    return place / kProductPoints * kProductPoints + place % kProductPoints / 2 + place % 2 * (kProductPoints / 2);
  }

  /// Adds the sums of lanes that differ in these bits, of both points in the first step, each of which half of the
  /// lanes keep.
  template <class Warp>
  HOST_DEVICE static void add_rows(Warp& warp) {
    warp.exchange(
        16, [](const Lane& lane, int own) { return own < 16 ? lane.sums[1] : lane.sums[0]; },
        [](Lane& lane, int own, double given) { lane.sums[0] = (own < 16 ? lane.sums[0] : lane.sums[1]) + given; });
    unrolled<2>([&]<int step>() {
      warp.exchange(
          step == 0 ? 8 : 4, [](const Lane& lane, int) { return lane.sums[0]; },
          [](Lane& lane, int, double given) { lane.sums[0] += given; });
    });
  }

  /// Values of points first .. first + 7 of the weights, of which those after `count` points are not stored.
  template <class Warp>
  HOST_DEVICE void multiply(Warp& warp, const Weights& weights, const std::uint32_t* numbers, int first, int count,
                            Index field) const {
    constexpr int kStride = Weights::kPitch;
    warp.each([&](Lane& lane, int own) {
      const double* phi = weights.of(1, first + own / 4, first + own / 4) + own % 4 * kStride;
      unrolled<kProducts>([&]<int s>() { lane.phi[s] = phi[4 * s * kStride]; });
      unrolled<4>([&]<int n>() { lane.product[n] = 0; });
    });
    unrolled<kProducts>([&]<int s>() {
      warp.multiply_add([](const Lane& lane) { return lane.tile[s]; }, [](const Lane& lane) { return lane.phi[s]; },
                        [](Lane& lane) { return lane.product; });
    });
    warp.each([&](Lane& lane, int own) {
      unrolled<2>([&]<int q>() {
        const int place = first + own % 4 * 2 + q;
        const double* theta = weights.of(0, place, theta_position(place)) + own / 4 * kStride;
        lane.sums[q] = std::fma(theta[8 * kStride], lane.product[2 + q], theta[0] * lane.product[q]);
      });
    });
    add_rows(warp);
    warp.each([&](const Lane& lane, int own) {
      const int place = first + own % 4 * 2 + own / 16;
      if (own / 4 % 4 == 0 && place < count)
        static_cast<double*>(task.values)[field * task.value_stride + numbers[place]] = lane.sums[0];
    });
  }

  template <class Warp>
  HOST_DEVICE void interpolate(Warp& warp, const NufftChunk& chunk, int number, Index field, Shared& shared) const {
    const int begin = shared.begins[number], end = shared.begins[number + 1];
    if (begin == end) return;
    warp.each([&](Lane& lane, int own) {
      const double* tile =
          shared.samples + (Cells::first_row(number) + own / 4) * kPitch + Cells::first_column(number) + own % 4;
      unrolled<kProducts>([&]<int s>() {
        lane.tile[s][0] = tile[4 * s];
        lane.tile[s][1] = tile[8 * kPitch + 4 * s];
      });
    });
    const NufftPoint<double>* points = task.chunks.points + chunk.begin;
    Weights& weights = shared.weights[warp.index()];
    std::uint32_t* numbers = shared.numbers[warp.index()];
    for (int first = begin; first < end; first += Weights::kPoints) {
      warp.sync();
      weights.make(
          warp, task.window, points, first, end, [](int place) { return theta_position(place); },
          [](const NufftPoint<double>&, bool) { return 1.0; },
          [&](const NufftPoint<double>& point, int place) { numbers[place] = point.number; });
      for (int i = 0; i < Weights::kPoints && first + i < end; i += kProductPoints)
        multiply(warp, weights, numbers, i, end - first, field);
    }
  }

  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    const NufftChunk chunk = task.chunks.chunks[block.x];
    team.each([&](Lane&, int thread) {
      load(chunk, block.y, team.shared(), thread);
      Cells::find_begins(task.chunks.points + chunk.begin, chunk.count, team.shared().begins, thread);
    });
    team.each_warp([&](auto& warp) { team.shared().weights[warp.index()].clear(warp); });
    team.barrier();
    team.each_warp([&](auto& warp) {
      for (int phase = 0; phase < Cells::kPhases; ++phase)
        interpolate(warp, chunk, warp.index() * Cells::kPhases + phase, block.y, team.shared());
    });
  }
};

}  // namespace armilla::kernels
