#pragma once

#include <kernels/legendre/block_pairs.hpp>

namespace armilla::kernels {

/// Maximum warps per block.
inline constexpr int kMaxWarps = 4;

/// Adds the sums of the warps of a block to its partial sums. Created once per block in shared memory, because the
/// adjoint has no free registers.
struct WarpSums {
  double* sums;      ///< for the first field of the block
  int field_stride;  ///< values from one field to the next
  int first, last;   ///< warps to which m contributes; `last` is past the end
  int fields;

  HOST_DEVICE static WarpSums of(const ScalarStage& stage, const BlockWork& work, int warps, int pairs_per_thread,
                                 int fields) {
    const auto idle = [&](int warp) { return LanePairs(stage, work, warp, pairs_per_thread).idle(pairs_per_thread); };
    int first = 0;
    while (idle(first)) ++first;
    int last = warps;
    while (idle(last - 1)) --last;
    double* sums = &stage.partial_sums[stage.sums_begin(work.block) + stage.field_begin(work.k, work.first_field)].a;
    return {sums, 4 * work.steps, first, last, fields};
  }

  /// Adds sum(warp, step, index) for step = 0 .. steps - 1 of a tile of kSteps that starts at step `begin`, index = 4 *
  /// field + {even re, even im, odd re, odd im}, over the warps to which m contributes, in order, and overwrites the
  /// partial sums of the block with the result. Call from all threads of the block. Threads are assigned for full
  /// tiles, so that no division is by a variable.
  template <int kSteps, class Sum>
  HOST_DEVICE void add(int begin, int steps, int thread, int threads, const Sum& sum) const {
    constexpr unsigned kNumbers = 4 * kSteps;
    for (auto i = static_cast<unsigned>(thread); i < kNumbers * static_cast<unsigned>(fields);
         i += static_cast<unsigned>(threads)) {
      const auto field = static_cast<int>(i / kNumbers);
      const auto step = static_cast<int>(i / 4 % kSteps);
      const auto part = static_cast<int>(i % 4);
      if (step >= steps) continue;
      double all = sum(first, step, 4 * field + part);
      for (int w = first + 1; w < last; ++w) all += sum(w, step, 4 * field + part);
      sums[field * field_stride + 4 * (begin + step) + part] = all;
    }
  }
};

}  // namespace armilla::kernels
