#pragma once

#include <kernels/core/row_sums.hpp>
#include <kernels/core/team.hpp>
#include <kernels/core/warp.hpp>

namespace armilla::kernels {

static_assert(kSumLanes == kWarp);

/// One warp processes one row of one field.
template <class T>
struct RowSumsBody {
  struct Lane {
    double sum;
  };
  using Shared = Nothing;
  static constexpr int kThreads = 256;

  RowSumsTask<T> task;

  GridSize grid() const {
    constexpr Index kRows = kThreads / kWarp;
    return {(task.fields * task.rows + kRows - 1) / kRows};
  }

  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    team.each_warp([&](auto& warp) {
      const Index number = block.x * (kThreads / kWarp) + warp.index();
      if (number >= task.fields * task.rows) return;
      const Index row = number % task.rows;
      const RowTerms<T> terms(task, number / task.rows, row);
      const Index length = task.length[row];
      warp.each([&](Lane& own, int lane) {
        own.sum = 0;
        for (Index i = lane; i < length; i += kSumLanes) own.sum += terms(i);
      });
      for (int half = kSumLanes / 2; half > 0; half /= 2)
        warp.exchange(
            half, [](const Lane& own, int) { return own.sum; }, [](Lane& own, int, double other) { own.sum += other; });
      warp.each([&](const Lane& own, int lane) {
        if (lane == 0) task.sums[number] = own.sum;
      });
    });
  }
};

}  // namespace armilla::kernels
