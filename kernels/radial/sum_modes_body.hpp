#pragma once

#include <cmath>

#include <kernels/core/complex_number.hpp>
#include <kernels/core/team.hpp>
#include <kernels/core/unrolled.hpp>
#include <kernels/radial/radial.hpp>

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

}  // namespace armilla::kernels
