#pragma once

#include <kernels/core/team.hpp>
#include <kernels/legendre/wigner_recurrence.hpp>

namespace armilla::kernels {

/// Degrees staged through shared memory at once, one per thread.
inline constexpr int kWignerTile = kWignerThreads;

/// Real values of one degree and map: real and imaginary part of one coefficient, or of E and B.
template <bool kSpin>
inline constexpr int kWignerNumbers = kSpin ? 4 : 2;

/// Local m, pairs of rings and maps of a block.
struct WignerBlock {
  Index k;
  Index block;  ///< index among the blocks of this m
  Index first;  ///< pair
  Index steps;  ///< degrees
  Index first_map;

  HOST_DEVICE static WignerBlock of(const WignerCall& call, BlockIndex index, int maps) {
    const Index k = call.k_begin + index.x / call.max_blocks;
    const Index block = index.x % call.max_blocks;
    return {k, block, call.task.first(k) + block * kWignerBlockPairs, call.task.degrees(k),
            call.first_map + index.y * maps};
  }
  /// [local m][block of pairs], [group of maps].
  static GridSize grid(const WignerCall& call) { return {call.k_count * call.max_blocks, call.map_groups}; }
  HOST_DEVICE bool empty(const WignerCall& call) const { return first >= call.task.pair_end; }
};

template <bool kSpin>
HOST_DEVICE void start_thread(const WignerCall& call, const WignerBlock& block, int index,
                              WignerThread<kSpin>& thread) {
  thread.start(call.task, block.k, block.first + index * kWignerPairs, call.task.pair_end);
}

HOST_DEVICE inline void stage_row(const WignerCall& call, const WignerBlock& block, Index step, WignerRow& row) {
  const Index lowest = call.task.lowest(block.k);
  const math::RisingStep rising = math::rising_step(call.task.spin, call.task.m[block.k], lowest + step);
  row.slope = rising.slope;
  row.rise_plus = rising.rise_plus;
  row.back_plus = rising.back_plus;
  row.rise_minus = rising.rise_minus;
  row.back_minus = rising.back_minus;
}

/// Parity of the steps of slot 0; that of slot 1 is the opposite (math::parity).
HOST_DEVICE inline int first_parity(const WignerTask& task, Index k) {
  return static_cast<int>((task.lowest(k) + task.m[k] + task.spin) & 1);
}

}  // namespace armilla::kernels
