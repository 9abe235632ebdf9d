#pragma once

#include <kernels/legendre/block_pairs.hpp>

namespace armilla::kernels {

/// Steps whose values a warp computes at once, and steps per product of tensor cores.
inline constexpr int kValueSteps = 8;
inline constexpr int kProductSteps = 4;
static_assert(kStepPadding == kProductSteps);

/// Values y_k at the pairs of a warp, passed from the lanes that compute them to those that multiply: 8 bytes each way
/// for a value that multiplies up to 32 columns. Rows have 36 values, so that loads of four values from each of eight
/// rows have no bank conflicts.
template <int P>
struct ValueTile {
  double y[P][kValueSteps][kWarp + 4];  ///< [pair of a lane][step][lane]

  /// Computes step s of these; `rows` starts at the first one.
  template <bool kOdd, bool kAll, RecurrenceForm kForm>
  HOST_DEVICE void step(PairRecurrence<kForm, P>& recurrence, const Two* rows, int s, int lane) {
    const Two* row = rows + s * recurrence.kRowSize;
    unrolled<P>([&]<int p>() {
      y[p][s][lane] = kAll ? recurrence.template at<kOdd>(p, row) : recurrence.template counting<kOdd>(p, row);
    });
    recurrence.template advance<kOdd>(row);
  }

  /// Values of `count` steps (4 or 8) starting at step k, zeros if they do not contribute yet; sets the progress of the
  /// lanes. Returns whether any contributes.
  template <class Warp>
  HOST_DEVICE bool make(Warp& warp, const Two* rows, int k, int count) {
    if (warp.any_lane().progress == WarpProgress::kAll) {
      warp.each([&](auto& lane, int i) {
        core::rolled<4>(count, [&](int s) {
          unrolled<2>([&]<int j>() {
            step<false, true>(lane.recurrence, rows, s + 2 * j, i);
            step<true, true>(lane.recurrence, rows, s + 2 * j + 1, i);
          });
        });
      });
    } else {
      core::rolled<2>(count, [&](int s) {
        const bool look = is_look(k + s + 2);
        warp.each([&](auto& lane, int i) {
          step<false, false>(lane.recurrence, rows, s, i);
          step<true, false>(lane.recurrence, rows, s + 1, i);
          if (look) lane.recurrence.rescale();
        });
      });
      set_progress<double>(warp, progress_of(warp));
    }
    warp.sync();
    return warp.any_lane().progress != WarpProgress::kSkip;
  }
};

}  // namespace armilla::kernels
