#pragma once

#include <armilla/math/chord_table.hpp>

#include <cmath>

#include <kernels/core/complex_number.hpp>
#include <kernels/core/team.hpp>
#include <kernels/core/unrolled.hpp>
#include <kernels/radial/radial.hpp>

/// The kernels of radial.hpp: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// Threads correspond to m, so that all threads of a warp read the same samples. A block processes the pairs of one
/// group, which share loads of the input, and one w.
struct SumRadialModes {
  static constexpr int kThreads = 128;

  RadialModesTask task;

  GridSize grid() const { return {(task.modes + kThreads - 1) / kThreads * task.width, task.group_count}; }

  /// Half of m step.
  struct HalfAngle {
    double cosine = 0, sine = 0;

    HalfAngle() = default;
    HOST_DEVICE explicit HalfAngle(double angle) : cosine(std::cos(angle)), sine(std::sin(angle)) {}
  };

  /// Mode m of a row by Clenshaw's recurrence, at small angles in Reinsch's form.
  HOST_DEVICE double spectrum(const RadialRow& row, Index m, const HalfAngle& half) const {
    constexpr double kSmallVersine = 0.25;
    const double* samples = static_cast<const double*>(task.samples) + row.sample;
    const double versine = 4 * half.sine * half.sine;
    const bool is_half = row.kind == RadialRowKind::kHalfLattice;
    double sum;
    if (versine < kSmallVersine) {
      double b = 0, difference = 0;
      for (int s = row.samples - 1; s > 0; --s) {
        difference = std::fma(-versine, b, samples[s] + difference);
        b += difference;
      }
      sum = std::fma(is_half ? -versine : -versine / 2, b, samples[0] + difference);
    } else {
      sum = clenshaw(samples, row.samples, 1 - versine / 2, is_half);
    }
    if (is_half) sum *= half.cosine;
    return m == row.halved ? sum / 2 : sum;
  }

  HOST_DEVICE static double clenshaw(const double* samples, int count, double x, bool half) {
    const double twice = 2 * x;
    double b1 = 0, b2 = 0;
    for (int s = count - 1; s > 0; --s) {
      const double next = std::fma(twice, b1, samples[s] - b2);
      b2 = b1;
      b1 = next;
    }
    const double rest = samples[0] - b2;
    return half ? std::fma(twice, b1, rest) - b1 : std::fma(x, b1, rest);
  }

  HOST_DEVICE ComplexNumber<double> input(const RadialRowGroup& rows, int h, Index m, Index w) const {
    if (rows.slot[h] < 0 || m >= rows.slot_modes[h]) return {0, 0};
    return load(task.in, task.in_shift[m] + rows.slot[h] * task.width + w);
  }

  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index m = block.x / task.width * kThreads + thread, w = block.x % task.width;
    const RadialPairGroup& group = task.groups[block.y];
    HalfAngle band[kRadialPairs], lattice[kRadialPairs];
    ComplexNumber<double> sums[kRadialPairs][2] = {};
    unrolled<kRadialPairs>([&]<int j>() {
      band[j] = HalfAngle(static_cast<double>(m) * group.band_step[j] / 2);
      if (group.lattice_step[j] != 0) lattice[j] = HalfAngle(static_cast<double>(m) * group.lattice_step[j] / 2);
    });
    for (Index r = group.first_row; r < group.end_row; ++r) {
      const RadialRowGroup& rows = task.rows[r];
      const ComplexNumber<double> z[2] = {input(rows, 0, m, w), input(rows, 1, m, w)};
      unrolled<kRadialPairs>([&]<int j>() {
        const RadialRow& row = rows.rows[j];
        if (row.samples == 0 || m >= row.modes) return;
        const double k = spectrum(row, m, row.kind == RadialRowKind::kBandLimit ? band[j] : lattice[j]);
        unrolled<2>([&]<int h>() {
          if (!row.used[h]) return;
          sums[j][h] = {std::fma(k, z[h].re, sums[j][h].re), std::fma(k, z[h].im, sums[j][h].im)};
        });
      });
    }
    unrolled<kRadialPairs>([&]<int j>() {
      unrolled<2>([&]<int h>() {
        if (group.slot[j][h] >= 0 && m < group.modes[j][h])
          store(task.out, task.out_shift[m] + group.slot[j][h] * task.width + w, sums[j][h]);
      });
    });
  }
};

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

void sum_radial_modes(const DeviceRadialModesTask& task, StreamHandle stream) {
  launch_team(EachThread{SumRadialModes{in_kernel(task)}}, "radial sums of modes", stream);
}
void sum_radial_pixels(const DeviceRadialPixelsTask& task, StreamHandle stream) {
  launch_team(EachThread{SumRadialPixels{in_kernel(task)}}, "radial sums of pixels", stream);
}

}  // namespace armilla::kernels
