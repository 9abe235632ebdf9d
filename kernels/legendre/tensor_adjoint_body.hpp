#pragma once

#include <kernels/legendre/value_tile.hpp>
#include <kernels/legendre/warp_sums.hpp>

namespace armilla::kernels {

/// Rows of a tile of steps, the next tile's being copied while one is worked on, and for each warp its values and its
/// sums over pairs.
template <RecurrenceForm kForm, int P, int G>
struct TensorAdjointShared {
  static constexpr int kRowSize = PairRecurrence<kForm, 1>::kRowSize;
  static constexpr int kSteps = 16;
  struct WarpTile {
    ValueTile<P> values;
    Two sums[kSteps / kValueSteps][4 * G][kValueSteps / 2];  ///< [steps / 8][number of a field][step % 8]
  };
  Two rows[2][kSteps * kRowSize];
  WarpTile warps[kMostWarps];
};

/// One thread: the recurrence of P ring pairs, its part of Delta of all pairs of the warp for G fields, and of their
/// sums.
template <RecurrenceForm kForm, int P, int G>
struct TensorAdjointLane {
  /// A product is of 16 rows, four numbers of four fields, with 8 steps, summed over 4 pairs.
  static constexpr int kRowTiles = G / 4;
  static constexpr int kPairTiles = kWarp / 4;

  PairRecurrence<kForm, P> recurrence;
  double delta[P][kPairTiles][kRowTiles][2];
  double sum[kRowTiles][4];
  double value;
  WarpProgress progress;
};

/// Partial sums of a block by tensor cores; overwrites them. Sums are over the pairs of a warp, four by four, then over
/// warps: the order depends on P, and not on G. Fields behind the last one are taken to be that one, and not stored.
template <RecurrenceForm kForm, int P, int G, class S>
struct TensorAdjointBody {
  static_assert(std::is_same_v<S, double> && G % 4 == 0);
  using Lane = TensorAdjointLane<kForm, P, G>;
  using Shared = TensorAdjointShared<kForm, P, G>;
  static constexpr int kTileSteps = Shared::kSteps;

  const ScalarStage& stage;
  const DeltaNumbers& delta;

  template <class Team>
  HOST_DEVICE void run(Team& team, const BlockWork& work) const {
    if (work.idle(stage)) return;
    const Index steps = stage.steps(work.k);
    const Index left = stage.fields() - work.first_field;
    const int fields = left < G ? static_cast<int>(left) : G;
    start_tile(team, work, 0, steps);
    team.each_warp([&](auto& warp) { start_warp(warp, work); });
    for (Index begin = 0; begin < steps; begin += kTileSteps) {
      if (begin + kTileSteps < steps) {
        start_tile(team, work, begin + kTileSteps, steps);
        team.template wait_for_copies<1>();
      } else {
        team.template wait_for_copies<0>();
      }
      team.barrier();
      const Index end = begin + kTileSteps < steps ? begin + kTileSteps : steps;
      const Two* rows = team.shared().rows[begin / kTileSteps % 2];
      team.each_warp([&](auto& warp) { run_tile(warp, rows, team.shared().warps[warp.index()], begin, end); });
      team.barrier();
      const auto sum = [&](int warp, int step, int number) {
        const Two* sums = team.shared().warps[warp].sums[step / kValueSteps][number];
        return reinterpret_cast<const double*>(sums)[step % kValueSteps];
      };
      team.each([&](Lane&, int thread) {
        WarpSums{stage, work, P, fields}.add({begin, end}, thread, team.threads(), sum);
      });
    }
  }

 private:
  template <class Team>
  HOST_DEVICE void start_tile(Team& team, const BlockWork& work, Index begin, Index steps) const {
    Two* rows = team.shared().rows[begin / kTileSteps % 2];
    const Index count = begin + kTileSteps < steps ? kTileSteps : steps - begin;
    team.start_copy(rows, stage.rows_of(work.section->rows, work.k) + begin * Shared::kRowSize,
                    count * Shared::kRowSize);
    team.end_copies();
  }

  template <class Warp>
  HOST_DEVICE void start_warp(Warp& warp, const BlockWork& work) const {
    const LanePairs pairs(stage, work, warp.index(), P);
    if (pairs.idle(P)) {
      warp.each([](Lane& lane, int) { lane.progress = WarpProgress::kIdle; });
      return;
    }
    warp.each([&](Lane& lane, int own) {
      start_recurrence(stage, work.k, pairs, own, lane.recurrence);
      unrolled<P>([&]<int p>() {
        unrolled<Lane::kPairTiles>(
            [&]<int a>() { load(work, pairs, pairs.place(p, 4 * a + own % 4), own / 4, lane.delta[p][a]); });
      });
    });
    set_progress<double>(warp, progress_of(warp));
  }

  // Rows `first` + 0, 8, 16, .. of the four numbers of each field at a pair; zeros where there is none.
  HOST_DEVICE void load(const BlockWork& work, const LanePairs& pairs, Index pair, int first, double (*rows)[2]) const {
    if (!pairs.real(pair)) {
      unrolled<Lane::kRowTiles>([&]<int t>() { rows[t][0] = rows[t][1] = 0; });
      return;
    }
    const bool odd = first % 4 >= 2;
    const bool re = first % 2 == 0;
    const double factor = (odd ? stage.pairs.odd_factor : stage.pairs.even_factor)[pair];
    const double sign = odd ? -1.0 : 1.0;
    const Index north_slot = stage.pairs.north_slot[pair];
    const Index south_slot = stage.pairs.south_slot[pair];
    const Index begin = stage.delta_begin(work.k, pair);
    const auto number = [&](Index slot, Index field) {
      if (slot < 0) return 0.0;
      const Two value = delta.get(begin + slot * stage.fields() + stage.delta_field(field));
      return re ? value.a : value.b;
    };
    unrolled<Lane::kRowTiles>([&]<int t>() {
      unrolled<2>([&]<int down>() {
        const Index field = work.real_field(stage, 4 * t + 2 * down + first / 4);
        rows[t][down] = factor * (number(north_slot, field) + sign * number(south_slot, field));
      });
    });
  }

  template <class Warp>
  HOST_DEVICE void run_tile(Warp& warp, const Two* rows, typename Shared::WarpTile& tile, Index begin,
                            Index end) const {
    if (warp.any_lane().progress == WarpProgress::kIdle) return;
    for (Index k = begin; k < end; k += kValueSteps) {
      const int i = static_cast<int>(k - begin);
      const int count = end - k < kValueSteps ? kProductSteps : kValueSteps;
      warp.each([&](Lane& lane, int) {
        unrolled<Lane::kRowTiles>([&]<int t>() { unrolled<4>([&]<int n>() { lane.sum[t][n] = 0; }); });
      });
      // Of the steps behind the last one come sums of anything, which nobody reads.
      if (tile.values.make(warp, rows + i * Shared::kRowSize, k, count)) multiply(warp, tile.values);
      warp.each([&](Lane& lane, int own) {
        Two(*sums)[kValueSteps / 2] = tile.sums[i / kValueSteps] + own / 4;
        unrolled<Lane::kRowTiles>([&]<int t>() {
          sums[16 * t][own % 4] = {lane.sum[t][0], lane.sum[t][1]};
          sums[16 * t + 8][own % 4] = {lane.sum[t][2], lane.sum[t][3]};
        });
      });
      warp.sync();
    }
  }

  template <class Warp>
  HOST_DEVICE void multiply(Warp& warp, const ValueTile<P>& values) const {
    unrolled<P>([&]<int p>() {
      unrolled<Lane::kPairTiles>([&]<int a>() {
        warp.each([&](Lane& lane, int own) { lane.value = values.y[p][own / 4][4 * a + own % 4]; });
        unrolled<Lane::kRowTiles>([&]<int t>() {
          warp.multiply_add([](const Lane& lane) { return lane.delta[p][a][t]; },
                            [](const Lane& lane) { return lane.value; }, [](Lane& lane) { return lane.sum[t]; });
        });
      });
    });
  }
};

}  // namespace armilla::kernels
