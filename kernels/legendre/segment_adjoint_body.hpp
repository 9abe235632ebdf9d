#pragma once

#include <kernels/legendre/segment_stage.hpp>

namespace armilla::kernels {

/// Sizes of the adjoint of G fields together. Those that determine the order of sums do not depend on G.
template <RecurrenceForm kForm, int G>
struct SegmentAdjointShape {
  static constexpr bool kEquator = kForm == RecurrenceForm::kEquator;
  static constexpr int kRowSize = PairRecurrence<kForm, 1>::kRowSize;
  /// A product has 16 rows (two steps of each segment) and 8 columns (four values of two fields), summed over four
  /// pairs.
  static constexpr int kPairTiles = kEquator ? kEquatorPairs / 4 : 8;
  static constexpr int kColumnTiles = (G + 1) / 2;
  static constexpr int kWarpPairs = 4 * kPairTiles;
  static constexpr int kWarps = kEquator ? 1 : kGroupPairs / kWarpPairs;
  static constexpr int kTurns = 8 / G;    ///< of two steps of each segment in a tile
  static constexpr int kNumbers = 2 * G;  ///< Two values of a step
  /// Rows of sums in shared memory are longer, so that lanes of two segments store without bank conflicts.
  static constexpr int kPaddedNumbers = G == 1 ? kNumbers : kNumbers + 2;
  /// Whether the variables of the recurrences are in shared memory. With eight fields, the registers of a thread do not
  /// suffice for them.
  static constexpr bool kSharedVariables = !kEquator && G == 8;
};

/// Rows of some steps of each segment, while those of the next ones are being copied, and the sums of each warp, while
/// those of the previous ones are being added.
template <RecurrenceForm kForm, int G>
struct SegmentAdjointShared {
  using Shape = SegmentAdjointShape<kForm, G>;
  Two rows[2][Shape::kTurns][kSegments][2][Shape::kRowSize];
  Two sums[2][Shape::kWarps][Shape::kTurns][kSegments][2][Shape::kPaddedNumbers];
  double variables[Shape::kSharedVariables ? Shape::kWarps * Shape::kWarpPairs : 1];
  SegmentBlock block;
};

/// State of one thread: the recurrence of one pair of each pair tile in one segment, its part of Delta, and its part of
/// the sums of two steps.
template <RecurrenceForm kForm, int G>
struct SegmentAdjointLane {
  using Shape = SegmentAdjointShape<kForm, G>;

  PairRecurrence<kForm, Shape::kPairTiles> recurrence;
  double delta[Shape::kPairTiles][Shape::kColumnTiles];
  double sum[Shape::kColumnTiles][4];
  double values[2];
  bool idle;
};

/// Sums of a group of pairs, of y_k times the halves of Delta, for all steps starting at the first one of the group;
/// overwrites them. Sums are over the pairs of a warp, four at a time, then over the warps, for any G. Fields after the
/// last one duplicate it and are not stored.
template <RecurrenceForm kForm, int G>
struct SegmentAdjointBody {
  using Shape = SegmentAdjointShape<kForm, G>;
  using Lane = SegmentAdjointLane<kForm, G>;
  using Shared = SegmentAdjointShared<kForm, G>;
  static constexpr RecurrenceForm kRecurrence = kForm;
  static constexpr int kThreads = Shape::kWarps * kWarp;
  static constexpr int kResidentBlocks = Shape::kEquator ? 12 : G <= 2 ? 4 : 3;
  static constexpr const char* kWhat = "Legendre adjoint by segments";

  const SegmentStage& stage;
  const DeltaNumbers& delta;

  template <class Team>
  HOST_DEVICE void run(Team& team, const SegmentWork& work) const {
    if (work.idle()) return;
    const int turns = static_cast<int>(stage.segments(work.k, work.group).length / 2);
    if (turns == 0) return;
    team.each([&](Lane&, int thread) {
      if (thread == 0) team.shared().block = SegmentBlock::of(stage, work, G);
    });
    team.barrier();
    start_tile(team, work.pairs.rows, 0);
    team.each_warp([&](auto& warp) { start(warp, team.shared(), work); });
    // One barrier per tile. After it, all warps have finished the previous tile: its rows can be overwritten, and its
    // sums are complete.
    for (int begin = 0; begin < turns; begin += Shape::kTurns) {
      team.template wait_for_copies<0>();
      team.barrier();
      if (begin + Shape::kTurns < turns) start_tile(team, work.pairs.rows, begin + Shape::kTurns);
      if (begin > 0) add_warps(team, begin - Shape::kTurns);
      const int tile = begin / Shape::kTurns % 2;
      const int count = turns - begin < Shape::kTurns ? turns - begin : Shape::kTurns;
      team.each_warp([&](auto& warp) { run_tile(warp, team.shared(), tile, count); });
    }
    team.barrier();
    add_warps(team, (turns - 1) / Shape::kTurns * Shape::kTurns);
  }

 private:
  template <class Team>
  HOST_DEVICE void start_tile(Team& team, RowKind kind, int begin) const {
    const SegmentBlock block = team.shared().block;
    const Two* rows = stage.scalar.rows[static_cast<int>(kind)] + block.rows * Shape::kRowSize;
    constexpr int kPieces = 2 * Shape::kRowSize;
    team.template start_gather<Shape::kTurns * kSegments * kPieces, kThreads>(
        &team.shared().rows[begin / Shape::kTurns % 2][0][0][0][0], [&](unsigned n) -> CopySource<Two> {
          const auto turn = begin + static_cast<int>(n / (kPieces * kSegments));
          const auto segment = static_cast<int>(n / kPieces % kSegments);
          const int step = block.begin(segment) + 2 * turn + static_cast<int>(n / Shape::kRowSize % 2);
          return {rows + step * Shape::kRowSize + n % Shape::kRowSize, step < block.steps};
        });
    team.end_copies();
  }

  // Adds the sums of the warps, in order. A thread stores half of a field of a step, next to other threads that store
  // the other half and the next steps.
  template <class Team>
  HOST_DEVICE void add_warps(Team& team, int begin) const {
    const SegmentBlock block = team.shared().block;
    const auto& sums = team.shared().sums[begin / Shape::kTurns % 2];
    team.each([&](Lane&, int thread) {
      constexpr int kOfField = Shape::kTurns * kSegments * 4;
      core::rolled<1>((G * kOfField + kThreads - 1) / kThreads, [&](int round) {
        const auto n = static_cast<unsigned>(thread + round * kThreads);
        if (n >= G * kOfField) return;
        const unsigned half = n % 2;
        const unsigned odd = n / 2 % 2;
        const unsigned turn = n / 4 % Shape::kTurns;
        const unsigned segment = n / (4 * Shape::kTurns) % kSegments;
        const unsigned g = n / kOfField;
        const int own = 2 * (begin + static_cast<int>(turn));
        const int step = block.begin(static_cast<int>(segment)) + own + static_cast<int>(odd);
        if (own >= block.length || step >= block.steps || static_cast<int>(g) >= block.fields) return;
        Two all = sums[0][turn][segment][odd][2 * g + half];
        unrolled<Shape::kWarps - 1>([&]<int w>() {
          const Two next = sums[w + 1][turn][segment][odd][2 * g + half];
          all = {all.a + next.a, all.b + next.b};
        });
        stage.sums[block.sums + 2 * (static_cast<Index>(g) * block.steps + step) + half] = all;
      });
    });
  }

  template <class Warp>
  HOST_DEVICE void start(Warp& warp, Shared& shared, const SegmentWork& work) const {
    const Index first = warp.index() * Shape::kWarpPairs;
    const bool idle = work.idle(first, Shape::kWarpPairs);
    warp.each([&](Lane& lane, int own) {
      lane.idle = idle;
      if (idle) return clear(shared, warp.index(), own);
      unrolled<Shape::kPairTiles>([&]<int q>() {
        delta.with_numbers(
            [&](const auto* numbers) { load(work, first + 4 * q + own % 4, own / 4, numbers, lane.delta[q]); });
      });
      unrolled<Shape::kPairTiles>([&]<int q>() {
        const Index slot = first + 4 * q + own % 4;
        start_segment(stage, work, own / 4, slot, q, lane.recurrence);
        if (Shape::kSharedVariables && own / 4 == 0) shared.variables[slot] = lane.recurrence.variable[q];
      });
    });
  }

  // Sums of a warp that has none.
  HOST_DEVICE static void clear(Shared& shared, int warp, int own) {
    for (auto& tile : shared.sums) {
      Two* sums = &tile[warp][0][0][0][0];
      for (int n = own; n < Shape::kTurns * kSegments * 2 * Shape::kPaddedNumbers; n += kWarp) sums[n] = {0, 0};
    }
  }

  // Column `column` of each column tile of a pair, the four values of two fields; zeros for absent rings.
  template <class T>
  HOST_DEVICE void load(const SegmentWork& work, Index slot, int column, const ComplexNumber<T>* numbers,
                        double* values) const {
    const Index pair = work.pair(slot);
    const PairNumbers& pairs = stage.scalar.pairs;
    const Index fields = stage.scalar.fields();
    const Index north_slot = pairs.north_slot[pair];
    const Index south_slot = pairs.south_slot[pair];
    const bool real = work.real(slot);
    const Index begin = stage.scalar.delta_begin(work.k, pair);
    // Positions are valid in any case, as in DeltaPositions.
    const Index north = begin + (north_slot >= 0 ? north_slot : south_slot) * fields;
    const Index south = begin + (south_slot >= 0 ? south_slot : north_slot) * fields;
    const bool odd = column % 4 >= 2;
    const bool re = column % 2 == 0;
    const double factor = (odd ? pairs.odd_factor : pairs.even_factor)[pair];
    const double sign = odd ? -1.0 : 1.0;
    const auto number = [&](bool has, Index at) {
      const auto value = static_cast<double>(re ? numbers[at].re : numbers[at].im);
      return has ? value : 0.0;
    };
    unrolled<Shape::kColumnTiles>([&]<int c>() {
      const Index field = stage.scalar.delta_field(work.real_field(stage, 2 * c + column / 4));
      values[c] = factor * (number(real && north_slot >= 0, north + field) +
                            sign * number(real && south_slot >= 0, south + field));
    });
  }

  template <class Warp>
  HOST_DEVICE void run_tile(Warp& warp, Shared& shared, int tile, int count) const {
    if (warp.any_lane().idle) return;
    core::rolled<1>(count, [&](int i) {
      multiply(warp, shared.rows[tile][i], shared.sums[tile][warp.index()][i],
               shared.variables + (Shape::kSharedVariables ? warp.index() * Shape::kWarpPairs : 0));
    });
  }

  // Two steps of each segment.
  template <class Warp>
  HOST_DEVICE void multiply(Warp& warp, const Two (*rows)[2][Shape::kRowSize], Two (*sums)[2][Shape::kPaddedNumbers],
                            const double* variables) const {
    warp.each([](Lane& lane, int) {
      unrolled<Shape::kColumnTiles>([&]<int c>() { unrolled<4>([&]<int n>() { lane.sum[c][n] = 0; }); });
    });
    unrolled<Shape::kPairTiles>([&]<int q>() {
      warp.each([&](Lane& lane, int own) {
        const auto* row = rows[own / 4];
        if constexpr (Shape::kSharedVariables) lane.recurrence.variable[q] = variables[4 * q + own % 4];
        lane.values[0] = lane.recurrence.template at<false>(q, row[0]);
        lane.recurrence.template advance_pair<false>(q, row[0][0]);
        lane.values[1] = lane.recurrence.template at<true>(q, row[1]);
      });
      unrolled<Shape::kColumnTiles>([&]<int c>() {
        warp.multiply_add([](const Lane& lane) { return lane.values; },
                          [](const Lane& lane) { return lane.delta[q][c]; }, [](Lane& lane) { return lane.sum[c]; });
      });
      warp.each([&](Lane& lane, int own) { lane.recurrence.template advance_pair<true>(q, rows[own / 4][1][0]); });
    });
    warp.each([&](Lane& lane, int own) {
      unrolled<Shape::kColumnTiles>([&]<int c>() {
        const int number = 4 * c + own % 4;
        if (number >= Shape::kNumbers) return;
        sums[own / 4][0][number] = {lane.sum[c][0], lane.sum[c][1]};
        sums[own / 4][1][number] = {lane.sum[c][2], lane.sum[c][3]};
      });
    });
  }
};

}  // namespace armilla::kernels
