#pragma once

#include <kernels/legendre/block_pairs.hpp>

namespace armilla::kernels {

/// Steps whose values a warp makes at once, and those that a product of tensor cores takes.
inline constexpr int kValueSteps = 8;
inline constexpr int kProductSteps = 4;
static_assert(kStepPadding == kProductSteps);

/// Values y_k at the pairs of a warp, by which lanes that make them hand them to those that multiply: 8 bytes each way
/// for a value that up to 32 columns are multiplied with. Rows of 36 numbers, so that a load of four numbers from each
/// of eight rows has no two in one bank.
template <int P>
struct ValueTile {
  double y[P][kValueSteps][kWarp + 4];  ///< [pair of a lane][step][lane]

  /// Step number s of these, `rows` being those from the first one on.
  template <bool kOdd, bool kAll, RecurrenceForm kForm>
  HOST_DEVICE void step(PairRecurrence<kForm, P>& recurrence, const Two* rows, int s, int lane) {
    const Two* row = rows + s * recurrence.kRowSize;
    unrolled<P>([&]<int p>() {
      y[p][s][lane] = kAll ? recurrence.template at<kOdd>(p, row) : recurrence.template counting<kOdd>(p, row);
    });
    recurrence.template advance<kOdd>(row);
  }

  /// Values of `count` steps from step k on, 4 or 8, zeros where they do not count yet; sets the progress of the lanes.
  /// Returns whether any counts.
  template <class Warp>
  HOST_DEVICE bool make(Warp& warp, const Two* rows, Index k, int count) {
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
