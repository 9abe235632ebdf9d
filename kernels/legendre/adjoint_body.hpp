#pragma once

#include <kernels/legendre/block_pairs.hpp>
#include <kernels/legendre/tuning.hpp>
#include <kernels/legendre/warp_sums.hpp>

namespace armilla::kernels {

/// Number of sums that a warp reduces at once: four values for each field and step.
inline constexpr int kReduced = 16;

/// Rows of a tile of steps, while those of the next tile are being copied, and the sums of each warp over its pairs.
template <RecurrenceForm kForm, int G, class S, int kSteps>
struct AdjointShared {
  static constexpr int kRowSize = PairRecurrence<kForm, 1>::kRowSize;
  Two rows[2][kSteps * kRowSize];
  S sums[kMaxWarps][kSteps][4 * G];
  WarpSums block_sums;
};

/// State of one thread: P ring pairs with their halves of Delta for G fields, and sums over these pairs for some steps.
template <RecurrenceForm kForm, int P, int G, class S>
struct AdjointLane {
  PairRecurrence<kForm, P> recurrence;
  S ring[P][4 * G];  ///< [pair][field]{even re, even im, odd re, odd im}, permuted
  S sum[kReduced];   ///< [index in `ring`][step]
  WarpProgress progress;

  static constexpr int kNumbers = 4 * G;
  /// Steps that are reduced at once.
  static constexpr int kTogether = kReduced / kNumbers;
  static_assert(kTogether % 2 == 0 && kStepPadding % kTogether == 0);

  /// Adds the sums over pairs of y times the values of `ring` to step `kStep` of `sum`; then advances to the next step.
  template <bool kOdd, bool kAll, int kStep>
  HOST_DEVICE void step(const Two* row) {
    S y[P];
    unrolled<P>([&]<int p>() {
      y[p] = kAll ? SumNumbers<S>::factor(recurrence.template at<kOdd>(p, row))
                  : SumNumbers<S>::careful_factor(recurrence.template counting<kOdd>(p, row));
    });
    recurrence.template advance<kOdd>(row);
    unrolled<kNumbers>([&]<int r>() {
      S s = y[0] * ring[0][r];
      unrolled<P - 1>([&]<int p>() { s = std::fma(y[p + 1], ring[p + 1][r], s); });
      sum[r * kTogether + kStep] = s;
    });
  }
};

/// Reduces each of kReduced values over the lanes of a warp. The order is that of a tree whose first level joins lanes
/// that differ in bit 4, then bit 3, .. 0; lanes 2 i and 2 i + 1 end with value i in sum[0]. At each level but the
/// last, a lane keeps half of its values and passes on the others. Which half depends on a bit of the lane. On the
/// first kTurned levels it is always the first half of the lane's array, in which index i holds value i ^ turn, turn
/// being the highest kTurned bits of the lane as bits of an index.
template <int kTurned, class Warp>
HOST_DEVICE inline void reduce(Warp& warp) {
  unrolled<4>([&]<int level>() {
    constexpr int bit = 16 >> level;
    constexpr int half = 8 >> level;
    constexpr bool turned = level < kTurned;
    unrolled<half>([&]<int i>() {
      warp.exchange(
          bit, [&](auto& lane, int own) { return turned || (own & bit) == 0 ? lane.sum[i + half] : lane.sum[i]; },
          [&](auto& lane, int own, auto given) {
            lane.sum[i] = (turned || (own & bit) == 0 ? lane.sum[i] : lane.sum[i + half]) + given;
          });
    });
  });
  warp.exchange(
      1, [&](auto& lane, int) { return lane.sum[0]; },
      [&](auto& lane, int, auto given) { lane.sum[0] = lane.sum[0] + given; });
}

/// Partial sums of a block: of y_k times the halves of Delta of its pairs, for all steps of an m that contributes to
/// them; overwrites them. The order of sums depends only on the blocks of pairs: over the pairs of a thread, the lanes
/// of a warp, both in S, and over the warps, in double.
template <RecurrenceForm kForm, int P, int G, class S = double, class Variant = Production>
struct AdjointBody {
  using Lane = AdjointLane<kForm, P, G, S>;
  static constexpr int kTileSteps = Variant::kAdjointSteps;
  using Shared = AdjointShared<kForm, G, S, kTileSteps>;
  static constexpr int kTogether = Lane::kTogether;
  static constexpr int kTurned = G == 1 ? 2 : 3;
  static_assert(Lane::kNumbers == 1 << kTurned);

  const ScalarStage& stage;
  const DeltaNumbers& delta;

  template <class Team>
  HOST_DEVICE void run(Team& team, const BlockWork& work) const {
    if (work.idle(stage)) return;
    team.each([&](Lane&, int thread) {
      if (thread == 0) team.shared().block_sums = WarpSums::of(stage, work, team.threads() / kWarp, P, G);
    });
    team.each_warp([&](auto& warp) {
      start_warp<S, P>(stage, work, warp, [&](Lane& lane, int i, const LanePairs& pairs) {
        delta.with_numbers([&](const auto* numbers) {
          unrolled<P>(
              [&]<int p>() { load(work, pairs, pairs.place(p, i), i >> (5 - kTurned), numbers, lane.ring[p]); });
        });
      });
    });
    const auto source = RowSource<Shared::kRowSize>::of(stage, work);
    const auto rows_of = [&](int begin) { return team.shared().rows[begin / kTileSteps % 2]; };
    each_tile<kTileSteps>(
        team, work.steps,
        [&](int begin) {
          source.template start<kTileSteps>(team, begin, rows_of(begin));
          team.end_copies();
        },
        [&](int begin, int end) {
          const Two* rows = rows_of(begin);
          team.each_warp([&](auto& warp) { run_tile(warp, rows, team.shared().sums[warp.index()], begin, end); });
          team.barrier();
          const auto sum = [&](int warp, int step, int number) {
            return static_cast<double>(team.shared().sums[warp][step][number]);
          };
          const WarpSums block_sums = team.shared().block_sums;
          team.each(
              [&](Lane&, int thread) { block_sums.add<kTileSteps>(begin, end - begin, thread, team.threads(), sum); });
        });
  }

 private:
  // Halves of Delta of a pair, with value r ^ turn at index r as required by reduce(); zeros for absent rings.
  template <class T>
  HOST_DEVICE void load(const BlockWork& work, const LanePairs& pairs, Index place, int turn,
                        const ComplexNumber<T>* numbers, S* ring) const {
    const DeltaPositions positions(stage, work, pairs, place);
    const bool odd_first = (turn & 2) != 0;
    const bool im_first = (turn & 1) != 0;
    const double even = stage.pairs.even_factor[positions.pair];
    const double odd = stage.pairs.odd_factor[positions.pair];
    const double first = odd_first ? odd : even;
    const double second = odd_first ? even : odd;
    const double sign = odd_first ? -1.0 : 1.0;
    const auto number = [&](bool has, Index at) {
      const auto re = static_cast<double>(numbers[at].re), im = static_cast<double>(numbers[at].im);
      return Two{has ? im_first ? im : re : 0, has ? im_first ? re : im : 0};
    };
    unrolled<G>([&]<int g>() {
      const Index field = stage.delta_field(work.first_field + (g ^ (turn >> 2)));
      const Two north = number(positions.has_north, positions.north + field);
      const Two south = number(positions.has_south, positions.south + field);
      ring[4 * g] = static_cast<S>(first * (north.a + sign * south.a));
      ring[4 * g + 1] = static_cast<S>(first * (north.b + sign * south.b));
      ring[4 * g + 2] = static_cast<S>(second * (north.a - sign * south.a));
      ring[4 * g + 3] = static_cast<S>(second * (north.b - sign * south.b));
    });
  }

  // sums[step of the tile][4 G] of the warp.
  template <class Warp>
  HOST_DEVICE void run_tile(Warp& warp, const Two* rows, S (*sums)[4 * G], int begin, int end) const {
    WarpProgress progress = warp.any_lane().progress;
    if (progress == WarpProgress::kIdle) return;
    int k = begin;
    if (progress != WarpProgress::kAll) {
      for (; k < end && progress != WarpProgress::kAll; k += kTogether)
        progress = careful_steps(warp, rows, sums, begin, k, progress);
      set_progress<S>(warp, progress);
    }
    for (; k < end; k += kTogether) {
      const int i = k - begin;
      warp.each([&](Lane& lane, int) {
        unrolled<kTogether / 2>([&]<int j>() {
          const Two* row = rows + (i + 2 * j) * Shared::kRowSize;
          lane.template step<false, true, 2 * j>(row);
          lane.template step<true, true, 2 * j + 1>(row + Shared::kRowSize);
        });
      });
      reduce<kTurned>(warp);
      store(warp, sums + i);
    }
  }

  // kTogether steps in which not all pairs contribute; returns the progress of the warp afterwards.
  template <class Warp>
  HOST_DEVICE WarpProgress careful_steps(Warp& warp, const Two* rows, S (*sums)[4 * G], int begin, int k,
                                         WarpProgress progress) const {
    const int i = k - begin;
    bool any = false;
    unrolled<kTogether / 2>([&]<int j>() {
      const Two* row = rows + (i + 2 * j) * Shared::kRowSize;
      if (progress == WarpProgress::kSkip) {
        warp.each([&](Lane& lane, int) {
          lane.recurrence.template advance<false>(row);
          lane.recurrence.template advance<true>(row + Shared::kRowSize);
          unrolled<Lane::kNumbers>([&]<int r>() {
            lane.sum[r * kTogether + 2 * j] = 0;
            lane.sum[r * kTogether + 2 * j + 1] = 0;
          });
        });
      } else {
        any = true;
        warp.each([&](Lane& lane, int) {
          lane.template step<false, false, 2 * j>(row);
          lane.template step<true, false, 2 * j + 1>(row + Shared::kRowSize);
        });
      }
      if (!is_look(k + 2 * j + 2)) return;
      warp.each([](Lane& lane, int) { lane.recurrence.rescale(); });
      progress = progress_of(warp);
    });
    if (any) reduce<kTurned>(warp);
    store(warp, sums + i);
    return progress;
  }

  template <class Warp>
  HOST_DEVICE void store(Warp& warp, S (*sums)[4 * G]) const {
    warp.each([&](Lane& lane, int i) {
      if (i % 2 == 0) sums[i / 2 % kTogether][i / 2 / kTogether] = lane.sum[0];
    });
  }
};

}  // namespace armilla::kernels
