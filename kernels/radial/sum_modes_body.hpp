#pragma once

#include <cmath>

#include <kernels/core/complex_number.hpp>
#include <kernels/core/team.hpp>
#include <kernels/core/unrolled.hpp>
#include <kernels/radial/radial.hpp>

namespace armilla::kernels {

/// Threads are m, so that samples are the same for a warp; a block has the pairs of one group, which share what they
/// load of the input, and one w.
struct SumRadialModes {
  static constexpr int kThreads = 128;

  RadialModesTask task;

  GridSize grid() const { return {(task.modes + kThreads - 1) / kThreads * task.width, task.group_count}; }

  /// The spectrum of a row by Clenshaw's recurrence, x = cos(m step).
  HOST_DEVICE double spectrum(const RadialRow& row, double x) const {
    const double* samples = static_cast<const double*>(task.samples) + row.sample;
    const double twice = 2 * x;
    double b1 = 0, b2 = 0;
    for (int s = row.samples - 1; s > 0; --s) {
      const double next = std::fma(twice, b1, samples[s] - b2);
      b2 = b1;
      b1 = next;
    }
    return std::fma(x, b1, samples[0] - b2);
  }

  HOST_DEVICE ComplexNumber<double> input(const RadialRowGroup& rows, int h, Index m, Index w) const {
    if (rows.slot[h] < 0 || m >= rows.slot_modes[h]) return {0, 0};
    return load(task.in, task.in_shift[m] + rows.slot[h] * task.width + w);
  }

  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index m = block.x / task.width * kThreads + thread, w = block.x % task.width;
    const RadialPairGroup& group = task.groups[block.y];
    double x[kRadialPairs] = {};
    ComplexNumber<double> sums[kRadialPairs][2] = {};
    unrolled<kRadialPairs>([&]<int j>() { x[j] = std::cos(static_cast<double>(m) * group.step[j]); });
    for (Index r = group.first_row; r < group.end_row; ++r) {
      const RadialRowGroup& rows = task.rows[r];
      const ComplexNumber<double> z[2] = {input(rows, 0, m, w), input(rows, 1, m, w)};
      unrolled<kRadialPairs>([&]<int j>() {
        const RadialRow& row = rows.rows[j];
        if (row.samples == 0 || m >= row.modes) return;
        const double k = spectrum(row, x[j]);
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

}  // namespace armilla::kernels
