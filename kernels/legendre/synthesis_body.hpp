#pragma once

#include <kernels/legendre/block_pairs.hpp>

namespace armilla::kernels {

/// Steps of a tile, which waits in shared memory.
inline constexpr int kTileSteps = 32;

/// Rows and coefficients of a tile of steps for G fields; the next tile is copied while one is worked on.
template <RecurrenceForm kForm, int G>
struct SynthesisShared {
  static constexpr int kRowSize = PairRecurrence<kForm, 1>::kRowSize;
  struct Tile {
    Two rows[kTileSteps * kRowSize];
    Two coefficients[G][kTileSteps][2];
  };
  Tile tiles[2];
};

/// One thread: P ring pairs and their sums over steps for G fields, in registers to the last step.
template <RecurrenceForm kForm, int P, int G>
struct SynthesisLane {
  PairRecurrence<kForm, P> recurrence;
  double sum[P][4 * G];  ///< [pair][field]{even re, even im, odd re, odd im}
  WarpProgress progress;

  /// Adds y times the coefficients of one step, then goes on to the next. Step number i of the tile.
  template <bool kOdd, bool kAll>
  HOST_DEVICE void step(const typename SynthesisShared<kForm, G>::Tile& tile, int i) {
    const Two* row = tile.rows + i * recurrence.kRowSize;
    double y[P];
    unrolled<P>([&]<int p>() {
      y[p] = kAll ? recurrence.template at<kOdd>(p, row) : recurrence.template counting<kOdd>(p, row);
    });
    recurrence.template advance<kOdd>(row);
    unrolled<G>([&]<int g>() {
      const Two even = tile.coefficients[g][i][0];
      const Two odd = tile.coefficients[g][i][1];
      unrolled<P>([&]<int p>() {
        double* s = sum[p] + 4 * g;
        s[0] = std::fma(even.a, y[p], s[0]);
        s[1] = std::fma(even.b, y[p], s[1]);
        s[2] = std::fma(odd.a, y[p], s[2]);
        s[3] = std::fma(odd.b, y[p], s[3]);
      });
    });
  }
};

/// Delta of the pairs of a block and its fields; overwrites it.
template <RecurrenceForm kForm, int P, int G>
struct SynthesisBody {
  using Lane = SynthesisLane<kForm, P, G>;
  using Shared = SynthesisShared<kForm, G>;

  const ScalarStage& stage;
  const DeltaNumbers& delta;

  template <class Team>
  HOST_DEVICE void run(Team& team, const BlockWork& work) const {
    if (work.idle(stage)) return;
    const Index steps = stage.steps(work.k);
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
      const auto& tile = team.shared().tiles[begin / kTileSteps % 2];
      team.each_warp([&](auto& warp) { run_tile(warp, tile, begin, end); });
      team.barrier();
    }
    team.each_warp([&](auto& warp) { store(warp, work); });
  }

 private:
  template <class Team>
  HOST_DEVICE void start_tile(Team& team, const BlockWork& work, Index begin, Index steps) const {
    auto& tile = team.shared().tiles[begin / kTileSteps % 2];
    const Index count = begin + kTileSteps < steps ? kTileSteps : steps - begin;
    team.start_copy(tile.rows, stage.rows_of(work.section->rows, work.k) + begin * Shared::kRowSize,
                    count * Shared::kRowSize);
    for (int g = 0; g < G; ++g)
      team.start_copy(tile.coefficients[g][0],
                      stage.coefficients + stage.field_begin(work.k, work.first_field + g) + 2 * begin, 2 * count);
    team.end_copies();
  }

  template <class Warp>
  HOST_DEVICE void start_warp(Warp& warp, const BlockWork& work) const {
    const LanePairs pairs(stage, work, warp.index(), P);
    if (pairs.idle(P)) {
      warp.each([](Lane& lane, int) { lane.progress = WarpProgress::kIdle; });
      return;
    }
    warp.each([&](Lane& lane, int i) {
      start_recurrence(stage, work.k, pairs, i, lane.recurrence);
      unrolled<P>([&]<int p>() { unrolled<4 * G>([&]<int q>() { lane.sum[p][q] = 0; }); });
    });
    const WarpProgress progress = progress_of(warp);
    warp.each([&](Lane& lane, int) { lane.progress = progress; });
  }

  template <class Warp>
  HOST_DEVICE void run_tile(Warp& warp, const typename Shared::Tile& tile, Index begin, Index end) const {
    WarpProgress progress = warp.any_lane().progress;
    if (progress == WarpProgress::kIdle) return;
    Index k = begin;
    if (progress != WarpProgress::kAll) {
      while (k < end && progress != WarpProgress::kAll) {
        const int i = static_cast<int>(k - begin);
        if (progress == WarpProgress::kSkip)
          warp.each([&](Lane& lane, int) {
            lane.recurrence.template advance<false>(tile.rows + i * Shared::kRowSize);
            lane.recurrence.template advance<true>(tile.rows + (i + 1) * Shared::kRowSize);
          });
        else
          warp.each([&](Lane& lane, int) {
            lane.template step<false, false>(tile, i);
            lane.template step<true, false>(tile, i + 1);
          });
        k += 2;
        if (!is_look(k)) continue;
        warp.each([](Lane& lane, int) { lane.recurrence.rescale(); });
        progress = progress_of(warp);
      }
      warp.each([&](Lane& lane, int) { lane.progress = progress; });
    }
    warp.each([&](Lane& lane, int) {
      const int last = static_cast<int>(end - begin);
      for (int i = static_cast<int>(k - begin); i < last; i += 2) {
        lane.template step<false, true>(tile, i);
        lane.template step<true, true>(tile, i + 1);
      }
    });
  }

  template <class Warp>
  HOST_DEVICE void store(Warp& warp, const BlockWork& work) const {
    if (warp.any_lane().progress == WarpProgress::kIdle) return;
    const LanePairs pairs(stage, work, warp.index(), P);
    warp.each([&](Lane& lane, int i) {
      unrolled<P>([&]<int p>() {
        const Index pair = pairs.place(p, i);
        if (!pairs.real(pair)) return;
        const double even = stage.pairs.even_factor[pair];
        const double odd = stage.pairs.odd_factor[pair];
        const Index north = stage.pairs.north_slot[pair];
        const Index south = stage.pairs.south_slot[pair];
        const Index begin = stage.delta_begin(work.k, pair);
        unrolled<G>([&]<int g>() {
          const double* s = lane.sum[p] + 4 * g;
          const double even_re = even * s[0];
          const double even_im = even * s[1];
          const double odd_re = odd * s[2];
          const double odd_im = odd * s[3];
          const Index place = begin + stage.delta_field(work.first_field + g);
          if (north >= 0) delta.set(place + north * stage.fields(), even_re + odd_re, even_im + odd_im);
          if (south >= 0) delta.set(place + south * stage.fields(), even_re - odd_re, even_im - odd_im);
        });
      });
    });
  }
};

}  // namespace armilla::kernels
