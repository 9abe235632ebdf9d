#pragma once

#include <kernels/core/unrolled.hpp>
#include <kernels/legendre/step_numbers.hpp>

namespace armilla::kernels {

/// Steps at which recurrences that do not contribute yet check their magnitudes, as on the CPU: after 2, 4, .. 16, 20,
/// .. 64, 72, .. steps. Near 2^-80, functions grow by less than 2^20 between checks, for any m up to 30000.
template <class Step>
HOST_DEVICE bool is_look(Step k) {
  return k <= 16 || (k <= 64 ? k % 4 == 0 : k % 8 == 0);
}

/// y_k at P ring pairs of one thread, and the state for the next step. Values are value * 2^(800 scale); those with
/// scale 0 contribute.
template <RecurrenceForm kForm, int P>
struct PairRecurrence {
  static constexpr bool kEquator = kForm == RecurrenceForm::kEquator;
  /// Number of Two values of a step in memory.
  static constexpr int kRowSize = kEquator ? 2 : 1;

  double value[P];  ///< y_k for even k; the equator form: for all k
  double other[P];  ///< y_{k-1} and y_k alternately; the equator form: the sum of a y
  double variable[P];
  int scale[P];

  HOST_DEVICE void start(int p, double variable_, ScaledValue first) {
    variable[p] = variable_;
    value[p] = first.value;
    other[p] = 0;
    scale[p] = first.scale;
  }

  /// y of the p-th pair at step `kOdd` of two, from `row` of that step; call before the advance.
  template <bool kOdd>
  HOST_DEVICE double at(int p, const Two* row) const {
    if constexpr (kEquator)
      return value[p] * row[1].a;
    else
      return kOdd ? other[p] : value[p];
  }
  template <bool kOdd>
  HOST_DEVICE double counting(int p, const Two* row) const {
    return scale[p] < 0 ? 0.0 : at<kOdd>(p, row);
  }

  /// Advances from step k to k + 1; `row` is that of step k.
  template <bool kOdd>
  HOST_DEVICE void advance(const Two* row) {
    const Two step = row[0];
    unrolled<P>([&]<int p>() { advance_pair<kOdd>(p, step); });
  }
  /// Likewise for the p-th pair only.
  template <bool kOdd>
  HOST_DEVICE void advance_pair(int p, Two step) {
    if constexpr (kEquator) {
      other[p] = std::fma(step.a, value[p], other[p]);
      value[p] = std::fma(step.b * variable[p], other[p], value[p]);
    } else if constexpr (kOdd) {
      value[p] = std::fma(std::fma(step.a, variable[p], step.b), other[p], value[p]);
    } else {
      other[p] = std::fma(std::fma(step.a, variable[p], step.b), value[p], other[p]);
    }
  }

  /// Multiplies all values by `factor`.
  HOST_DEVICE void multiply(double factor) {
    unrolled<P>([&]<int p>() {
      value[p] *= factor;
      other[p] *= factor;
    });
  }

  /// Call at an even step.
  HOST_DEVICE void rescale() {
    constexpr double kThreshold = 0x1p720;
    constexpr double kDown = 0x1p-800;
    unrolled<P>([&]<int p>() {
      if (scale[p] >= 0 || !(std::fabs(value[p]) > kThreshold)) return;
      value[p] *= kDown;
      other[p] *= kDown;
      ++scale[p];
    });
  }
  HOST_DEVICE bool any_counts() const {
    int most = scale[0];
    unrolled<P>([&]<int p>() { most = scale[p] > most ? scale[p] : most; });
    return most >= 0;
  }
  HOST_DEVICE bool any_below() const {
    int least = scale[0];
    unrolled<P>([&]<int p>() { least = scale[p] < least ? scale[p] : least; });
    return least < 0;
  }
};

/// Progress of a warp: m contributes to none of its pairs; none of the pairs has started to contribute; some have; all
/// have.
enum class WarpProgress { kIdle, kSkip, kSome, kAll };

}  // namespace armilla::kernels
