#pragma once

#include <armilla/math/chord_table.hpp>

#include <cmath>

#include <kernels/core/team.hpp>
#include <kernels/core/unrolled.hpp>
#include <kernels/radial/radial.hpp>

namespace armilla::kernels {

/// A block processes part of one output ring, of one field.
struct SumRadialPixels {
  static constexpr int kThreads = 128;
  static constexpr int kItems = 4;  ///< pixels per thread, which share weights
  static constexpr Index kTile = kThreads * kItems;

  RadialPixelsTask task;

  HOST_DEVICE Index tiles() const { return (task.max_nphi + kTile - 1) / kTile; }
  GridSize grid() const { return {task.ring_count * tiles(), task.fields}; }

  HOST_DEVICE void add_stencil(const RadialPixelRow& row, const double* in, Index pixel, double* sums) const {
    const double* weights = static_cast<const double*>(task.weights) + row.weights;
    Index from[kItems];
    unrolled<kItems>([&]<int i>() {
      from[i] = (row.first + pixel + i * kThreads) % row.in_nphi;
      if (from[i] < 0) from[i] += row.in_nphi;
    });
    double part[kItems] = {};
    for (Index k = 0; k < row.count; ++k) {
      const double weight = weights[k];
      unrolled<kItems>([&]<int i>() {
        part[i] = std::fma(weight, in[from[i]], part[i]);
        if (++from[i] == row.in_nphi) from[i] = 0;
      });
    }
    unrolled<kItems>([&]<int i>() { sums[i] = std::fma(row.area, part[i], sums[i]); });
  }

  HOST_DEVICE double weighted(const RadialPixelRow& row, const RadialPixelRing& ring, const double* in,
                              Index pixel) const {
    constexpr double kTurn = 6.283185307179586;
    const math::ChordTable table{task.table, task.table_cells, task.table_cells_per_unit, task.table_end};
    const double n = static_cast<double>(row.in_nphi);
    const double place = row.place + static_cast<double>(pixel) * n / static_cast<double>(ring.nphi);
    double first = std::ceil(place - row.reach);
    Index count = static_cast<Index>(std::floor(place + row.reach) - first) + 1;
    if (count >= row.in_nphi) {
      first = std::ceil(place - n / 2);
      count = row.in_nphi;
    }
    Index from = static_cast<Index>(first) % row.in_nphi;
    if (from < 0) from += row.in_nphi;
    double sum = 0;
    for (Index k = 0; k < count; ++k) {
      const double half = std::sin((place - (first + static_cast<double>(k))) * (kTurn / 2) / n);
      sum = std::fma(table(std::fma(row.g2 * half, half, row.chord)), in[from], sum);
      if (++from == row.in_nphi) from = 0;
    }
    return row.area * sum;
  }

  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const RadialPixelRing& ring = task.rings[block.x / tiles()];
    const Index pixel = block.x % tiles() * kTile + thread;
    if (pixel >= ring.nphi) return;
    const double* in = static_cast<const double*>(task.in) + block.y * task.in_stride;
    double* out = static_cast<double*>(task.out) + block.y * task.out_stride + ring.pixel;
    double sums[kItems] = {};
    for (Index r = ring.first_row; r < ring.end_row; ++r) {
      const RadialPixelRow& row = task.rows[r];
      if (row.weights >= 0)
        add_stencil(row, in + row.in_pixel, pixel, sums);
      else
        unrolled<kItems>([&]<int i>() {
          if (pixel + i * kThreads < ring.nphi) sums[i] += weighted(row, ring, in + row.in_pixel, pixel + i * kThreads);
        });
    }
    unrolled<kItems>([&]<int i>() {
      if (pixel + i * kThreads < ring.nphi) out[pixel + i * kThreads] += sums[i];
    });
  }
};

}  // namespace armilla::kernels
