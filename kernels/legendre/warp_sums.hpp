#pragma once

#include <kernels/legendre/block_pairs.hpp>

namespace armilla::kernels {

/// Warps of a block at most.
inline constexpr int kMostWarps = 4;

/// Steps begin .. end - 1 of an m.
struct StepRange {
  Index begin, end;
};

/// From the sums of the warps of a block to its partial sums.
struct WarpSums {
  const ScalarStage& stage;
  const BlockWork& work;
  int pairs_per_thread;
  int fields;  ///< of the block

  /// Adds sum(warp, step - begin, number), number = 4 * field + {even re, even im, odd re, odd im}, of the warps that
  /// feel m in their order, and overwrites the block's place with it. For all threads of the block.
  template <class Sum>
  HOST_DEVICE void add(const StepRange& range, int thread, int threads, const Sum& sum) const {
    int first = 0;
    while (LanePairs(stage, work, first, pairs_per_thread).idle(pairs_per_thread)) ++first;
    int last = threads / kWarp;
    while (LanePairs(stage, work, last - 1, pairs_per_thread).idle(pairs_per_thread)) --last;
    double* sums = &stage.partial_sums[stage.sums_begin(work.block)].a;
    const int steps = static_cast<int>(range.end - range.begin);
    for (int i = thread; i < 4 * steps * fields; i += threads) {
      const int field = i / (4 * steps);
      const int step = i / 4 - field * steps;
      const int number = 4 * field + i % 4;
      double all = sum(first, step, number);
      for (int w = first + 1; w < last; ++w) all += sum(w, step, number);
      sums[2 * stage.field_begin(work.k, work.first_field + field) + 4 * (range.begin + step) + i % 4] = all;
    }
  }
};

}  // namespace armilla::kernels
