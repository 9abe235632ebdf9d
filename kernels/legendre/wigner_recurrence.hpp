#pragma once

#include <cmath>

#include <kernels/legendre/wigner_task.hpp>

namespace armilla::kernels {

/// Values are value * 2^(800 scale), scale <= 0, as in legendre/start_values.hpp; those with scale 0 contribute.
inline constexpr double kWignerUp = 0x1p800;
inline constexpr double kWignerDown = 0x1p-800;
inline constexpr double kWignerGrown = 0x1p400;
inline constexpr double kWignerSmall = 0x1p-80;

/// slambda of one sign of the spin at one pair of rings, degree by degree (math::RisingStep). Products in sums are
/// written as fma, so that all instances of a template round identically.
struct WignerFunction {
  double value = 0;
  double rest = 0;
  int scale = 0;

  HOST_DEVICE void advance(double fall, double rise, double back) {
    rest = std::fma(-fall, value, back * rest);
    value = std::fma(rise, value, rest);
  }
  HOST_DEVICE void rescale() {
    if (scale >= 0 || !(std::fabs(value) > kWignerGrown)) return;
    value *= kWignerDown;
    rest *= kWignerDown;
    scale += 1;
  }
};

/// The function of lowest degree of the k-th local m at pair `pair` of the tables, spin +-task.spin: +-norm
/// cos(theta/2)^|m - s| sin(theta/2)^|m + s| (math/wigner.hpp), computed in the same steps as in
/// legendre::WignerStartValues.
HOST_DEVICE inline WignerFunction wigner_start(const WignerTask& task, Index k, int sign, Index pair) {
  const Index bases = task.pair_end - task.pair_begin;
  const Index m = task.m[k];
  const Index difference = m - sign * task.spin;
  const Index cosines = difference < 0 ? -difference : difference;
  const Index total = m + sign * task.spin;
  const Index sines = total < 0 ? -total : total;
  const Index cosine_row = cosines / 32 * bases + pair;
  const Index sine_row = sines / 32 * bases + pair;
  const bool negative = (sign < 0 && task.spin > m ? task.spin : m) % 2 != 0;

  double v = task.cosine.low[cosines % 32 * bases + pair] * task.cosine.high[cosine_row];
  int scale = task.cosine.scale[cosine_row] + task.sine.scale[sine_row] + task.norm_scale[k];
  const double factors[3] = {task.sine.high[sine_row], task.sine.low[sines % 32 * bases + pair],
                             negative ? -task.norm[k] : task.norm[k]};
  for (const double factor : factors) {
    v *= factor;
    if (v != 0 && std::fabs(v) < 1 / kWignerGrown) {
      v *= kWignerUp;
      scale -= 1;
    }
  }
  if (std::fabs(v) > kWignerGrown && scale < 0) {
    v *= kWignerDown;
    scale += 1;
  }
  for (; scale > 0; --scale) v *= kWignerUp;
  if (scale == 0 && v != 0 && std::fabs(v) < kWignerSmall) {
    v *= kWignerUp;
    scale = -1;
  }
  return {v, 0.0, v == 0 ? 0 : scale};
}

/// The recurrence's coefficients of one degree, in shared memory.
struct alignas(16) WignerRow {
  double slope;
  double rise_plus;
  double back_plus;
  double rise_minus;
  double back_minus;
  double unused;
};

/// The functions of the pairs of one thread. Those of spin s are stored times -1/2, those of -s times -(-1)^s / 2. The
/// factors of a transform of real components are then their sum, `same`, and their difference, `mixed` (math/spin.hpp);
/// for a scalar `same` is the function itself.
template <bool kSpin>
struct WignerThread {
  WignerFunction plus[kWignerPairs];
  WignerFunction minus[kWignerPairs];
  double one_minus_cos[kWignerPairs];
  Index first;         ///< pair of the grid
  int count;           ///< number of existing pairs, 0 .. kWignerPairs; the others are zero
  bool below = false;  ///< no function contributes yet
  bool whole = false;  ///< all functions contribute

  HOST_DEVICE void start(const WignerTask& task, Index k, Index first_, Index end) {
    first = first_;
    count = first >= end ? 0 : end - first < kWignerPairs ? static_cast<int>(end - first) : kWignerPairs;
    const double signed_half = task.spin % 2 == 0 ? -0.5 : 0.5;
    for (int j = 0; j < kWignerPairs; ++j) {
      plus[j] = {};
      minus[j] = {};
      one_minus_cos[j] = 0;
      if (j >= count) continue;
      const Index pair = first + j - task.pair_begin;
      one_minus_cos[j] = task.one_minus_cos[pair];
      plus[j] = wigner_start(task, k, 1, pair);
      if constexpr (kSpin) {
        plus[j].value *= -0.5;
        minus[j] = wigner_start(task, k, -1, pair);
        minus[j].value *= signed_half;
      }
    }
    look();
  }

  HOST_DEVICE void look() {
    below = true;
    whole = true;
    for (int j = 0; j < kWignerPairs; ++j) {
      whole = whole && plus[j].scale >= 0 && (!kSpin || minus[j].scale >= 0);
      if (j >= count) continue;
      below = below && plus[j].scale < 0 && (!kSpin || minus[j].scale < 0);
    }
  }
  HOST_DEVICE void rescale() {
    for (int j = 0; j < kWignerPairs; ++j) {
      plus[j].rescale();
      if constexpr (kSpin) minus[j].rescale();
    }
    look();
  }
  HOST_DEVICE void advance(const WignerRow& row) {
    for (int j = 0; j < kWignerPairs; ++j) {
      const double fall = row.slope * one_minus_cos[j];
      plus[j].advance(fall, row.rise_plus, row.back_plus);
      if constexpr (kSpin) minus[j].advance(fall, row.rise_minus, row.back_minus);
    }
  }
  /// same and mixed of pair j; kAll: all functions contribute.
  template <bool kAll>
  HOST_DEVICE void functions(int j, double& same, double& mixed) const {
    const double p = kAll || plus[j].scale >= 0 ? plus[j].value : 0.0;
    same = p;
    mixed = 0;
    if constexpr (kSpin) {
      const double q = kAll || minus[j].scale >= 0 ? minus[j].value : 0.0;
      same = p + q;
      mixed = p - q;
    }
  }
};

/// Interval in steps for checking growing values, before any can overflow, independent of tiles.
HOST_DEVICE constexpr Index wigner_next_look(Index step) {
  const Index interval = step < 32 ? 4 : step < 128 ? 8 : 16;
  return (step / interval + 1) * interval;
}

/// Calls body.template add<kAll>(index of the row, thread, slot) for steps begin .. end - 1 in which a function of the
/// thread contributes, with slot = step & 1 as a constant, and advances the functions to step `end`. rows[0] belongs to
/// step `begin`, which is even, like the steps of checks.
template <bool kSpin, class Body>
HOST_DEVICE void wigner_steps(const WignerRow* rows, Index begin, Index end, WignerThread<kSpin>& thread, Body&& body) {
  Index step = begin;
  while (!thread.whole && step < end) {
    const Index look = wigner_next_look(step);
    const Index until = look < end ? look : end;
    if (thread.below) {
      for (; step < until; ++step) thread.advance(rows[step - begin]);
    } else {
      for (; step < until; ++step) {
        const int row = static_cast<int>(step - begin);
        if ((row & 1) == 0)
          body.template add<false, 0>(row, thread);
        else
          body.template add<false, 1>(row, thread);
        thread.advance(rows[row]);
      }
    }
    if (until == look) thread.rescale();
  }
  int row = static_cast<int>(step - begin);
  const int last = static_cast<int>(end - begin);
  for (; row + 2 <= last; row += 2) {
    body.template add<true, 0>(row, thread);
    thread.advance(rows[row]);
    body.template add<true, 1>(row + 1, thread);
    thread.advance(rows[row + 1]);
  }
  if (row < last) {
    body.template add<true, 0>(row, thread);
    thread.advance(rows[row]);
  }
}

}  // namespace armilla::kernels
