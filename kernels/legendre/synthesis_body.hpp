#pragma once

#include <kernels/legendre/block_pairs.hpp>
#include <kernels/legendre/sum_numbers.hpp>
#include <kernels/legendre/tuning.hpp>

namespace armilla::kernels {

/// Rows and coefficients of a tile of steps for G fields, summed in S, while the next tile is being copied.
template <RecurrenceForm kForm, int G, class S, class Variant>
struct SynthesisShared {
  static constexpr int kRowSize = PairRecurrence<kForm, 1>::kRowSize;
  /// Steps per tile. For sums in float, this is also their length: in longer sums, the rounding of sums would exceed
  /// that of products.
  static constexpr int kSteps = std::is_same_v<S, float> ? 64 : Variant::kSynthesisSteps;
  struct Tile {
    static constexpr int kSteps = SynthesisShared::kSteps;
    Two rows[kSteps * kRowSize];
    typename SumNumbers<S>::Piece coefficients[G][kSteps * SumNumbers<S>::kPieces];
  };
  Tile tiles[2];
};

/// State of one thread: P ring pairs and their sums over steps for G fields, in registers throughout.
template <RecurrenceForm kForm, int P, int G, class S, class Tile>
struct SynthesisLane {
  /// Whether `sum` covers a single tile.
  static constexpr bool kShortSums = !std::is_same_v<S, double>;

  PairRecurrence<kForm, P> recurrence;
  S sum[P][4 * G];                                           ///< [pair][field]{even re, even im, odd re, odd im}
  double total[kShortSums ? P : 1][kShortSums ? 4 * G : 1];  ///< sums of the preceding tiles, in the same order
  WarpProgress progress;

  HOST_DEVICE void clear() {
    unrolled<P>([&]<int p>() {
      unrolled<4 * G>([&]<int q>() {
        sum[p][q] = 0;
        if constexpr (kShortSums) total[p][q] = 0;
      });
    });
  }
  HOST_DEVICE void end_tile() {
    if constexpr (kShortSums)
      unrolled<P>([&]<int p>() {
        unrolled<4 * G>([&]<int q>() {
          total[p][q] += static_cast<double>(sum[p][q]);
          sum[p][q] = 0;
        });
      });
  }
  HOST_DEVICE const double* sums(int p) const {
    if constexpr (kShortSums)
      return total[p];
    else
      return sum[p];
  }

  /// Adds y times the coefficients of the i-th step of the tile, then advances to the next step.
  template <bool kOdd, bool kAll>
  HOST_DEVICE void step(const Tile& tile, int i) {
    const Two* row = tile.rows + i * recurrence.kRowSize;
    S y[P];
    unrolled<P>([&]<int p>() {
      y[p] = kAll ? SumNumbers<S>::factor(recurrence.template at<kOdd>(p, row))
                  : SumNumbers<S>::careful_factor(recurrence.template counting<kOdd>(p, row));
    });
    recurrence.template advance<kOdd>(row);
    unrolled<G>([&]<int g>() {
      const auto c = SumNumbers<S>::coefficients(tile.coefficients[g] + i * SumNumbers<S>::kPieces);
      unrolled<P>([&]<int p>() {
        S* s = sum[p] + 4 * g;
        s[0] = std::fma(c.even_re, y[p], s[0]);
        s[1] = std::fma(c.even_im, y[p], s[1]);
        s[2] = std::fma(c.odd_re, y[p], s[2]);
        s[3] = std::fma(c.odd_im, y[p], s[3]);
      });
    });
  }
};

/// Computes Delta of the pairs of a block and its fields, with sums in S; overwrites it.
template <RecurrenceForm kForm, int P, int G, class S = double, class Variant = Production>
struct SynthesisBody {
  using Shared = SynthesisShared<kForm, G, S, Variant>;
  using Lane = SynthesisLane<kForm, P, G, S, typename Shared::Tile>;
  static constexpr int kTileSteps = Shared::kSteps;

  const ScalarStage& stage;
  const DeltaNumbers& delta;

  template <class Team>
  HOST_DEVICE void run(Team& team, const BlockWork& work) const {
    if (work.idle(stage)) return;
    team.each_warp([&](auto& warp) {
      start_warp<S, P>(stage, work, warp, [](Lane& lane, int, const LanePairs&) { lane.clear(); });
    });
    const TileSource<Shared::kRowSize, G, S> source(stage, work, G);
    const auto tile_of = [&](int begin) -> auto& { return team.shared().tiles[begin / kTileSteps % 2]; };
    each_tile<kTileSteps>(
        team, work.steps, [&](int begin) { source.start(team, begin, tile_of(begin)); },
        [&](int begin, int end) {
          const auto& tile = tile_of(begin);
          team.each_warp([&](auto& warp) { run_tile(warp, tile, begin, end); });
          team.barrier();
        });
    team.each_warp([&](auto& warp) { store(warp, work); });
  }

 private:
  template <class Warp>
  HOST_DEVICE void run_tile(Warp& warp, const typename Shared::Tile& tile, int begin, int end) const {
    WarpProgress progress = warp.any_lane().progress;
    if (progress == WarpProgress::kIdle) return;
    int k = begin;
    if (progress != WarpProgress::kAll) {
      while (k < end && progress != WarpProgress::kAll) {
        const int i = k - begin;
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
      set_progress<S>(warp, progress);
    }
    warp.each([&](Lane& lane, int) {
      for (int i = k - begin; i < end - begin; i += 2) {
        lane.template step<false, true>(tile, i);
        lane.template step<true, true>(tile, i + 1);
      }
      lane.end_tile();
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
          const double* s = lane.sums(p) + 4 * g;
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
