#pragma once

#include <kernels/legendre/segment_stage.hpp>

namespace armilla::kernels {

/// Sizes of the synthesis of G fields together.
template <RecurrenceForm kForm, int G>
struct SegmentSynthesisShape {
  static constexpr bool kEquator = kForm == RecurrenceForm::kEquator;
  static constexpr int kRowSize = PairRecurrence<kForm, 1>::kRowSize;
  /// A product has 16 rows (pairs) and 8 columns (four values of two fields), summed over the long segments.
  static constexpr int kRowTiles = kEquator ? 1 : 2;
  static constexpr int kColumnTiles = (G + 1) / 2;
  static constexpr int kColumns = G == 1 ? 4 : 8;  ///< in shared memory
  static constexpr int kWarpPairs = 16 * kRowTiles;
  static constexpr int kWarps = kEquator ? 1 : kGroupPairs / kWarpPairs;
  static constexpr int kSteps = G <= 2 ? 16 : 32 / G;  ///< of each long segment in a tile
};

/// Rows and coefficients of some steps of each long segment, while those of the next ones are being copied.
template <RecurrenceForm kForm, int G>
struct SegmentSynthesisShared {
  using Shape = SegmentSynthesisShape<kForm, G>;
  struct Tile {
    Two rows[Shape::kSteps][kLongSegments][Shape::kRowSize];
    double coefficients[Shape::kColumnTiles][Shape::kSteps][kLongSegments][Shape::kColumns];
  };
  Tile tiles[2];
  SegmentBlock block;
};

/// State of one thread: the recurrences of two pairs of each row tile in one long segment, and its part of the sums.
template <RecurrenceForm kForm, int G>
struct SegmentSynthesisLane {
  using Shape = SegmentSynthesisShape<kForm, G>;

  PairRecurrence<kForm, 2 * Shape::kRowTiles> recurrence;
  double sum[Shape::kRowTiles][Shape::kColumnTiles][4];
  double values[2];
  double coefficients[Shape::kColumnTiles];
  double factor, other[2];
  Index ring;
  bool idle;
};

/// Computes Delta of the pairs of a group and its fields; overwrites it. The products of the same step of the long
/// segments are added to each sum together, step by step, for any G. Fields after the last one duplicate it and are not
/// stored.
template <RecurrenceForm kForm, int G>
struct SegmentSynthesisBody {
  using Shape = SegmentSynthesisShape<kForm, G>;
  using Lane = SegmentSynthesisLane<kForm, G>;
  using Shared = SegmentSynthesisShared<kForm, G>;
  static constexpr RecurrenceForm kRecurrence = kForm;
  static constexpr int kThreads = Shape::kWarps * kWarp;
  static constexpr int kResidentBlocks = 16 / Shape::kWarps;
  static constexpr const char* kWhat = "Legendre synthesis by segments";

  const SegmentStage& stage;
  const DeltaNumbers& delta;

  template <class Team>
  HOST_DEVICE void run(Team& team, const SegmentWork& work) const {
    if (work.idle()) return;
    team.each([&](Lane&, int thread) {
      if (thread == 0) team.shared().block = SegmentBlock::of(stage, work, G);
    });
    team.barrier();
    const int steps = kSegments / kLongSegments * team.shared().block.length;
    if (steps > 0) start_tile(team, work.pairs.rows, 0);
    team.each_warp([&](auto& warp) { start(warp, work); });
    // One barrier per tile. After it, all warps have finished the previous tile, which can be overwritten.
    for (int begin = 0; begin < steps; begin += Shape::kSteps) {
      team.template wait_for_copies<0>();
      team.barrier();
      if (begin + Shape::kSteps < steps) start_tile(team, work.pairs.rows, begin + Shape::kSteps);
      const auto& tile = team.shared().tiles[begin / Shape::kSteps % 2];
      const int count = steps - begin < Shape::kSteps ? steps - begin : Shape::kSteps;
      team.each_warp([&](auto& warp) { run_tile(warp, tile, count); });
    }
    team.each_warp([&](auto& warp) { store(warp, work); });
  }

 private:
  // Copies steps `begin` and the next ones of each long segment.
  template <class Team>
  HOST_DEVICE void start_tile(Team& team, RowKind kind, int begin) const {
    auto& tile = team.shared().tiles[begin / Shape::kSteps % 2];
    const SegmentBlock block = team.shared().block;
    const auto step_of = [&](unsigned t, unsigned i) {
      return block.begin(kSegments / kLongSegments * static_cast<int>(t)) + begin + static_cast<int>(i);
    };
    constexpr int kRowSize = Shape::kRowSize;
    const Two* rows = stage.scalar.rows[static_cast<int>(kind)] + block.rows * kRowSize;
    team.template start_gather<Shape::kSteps * kLongSegments * kRowSize, kThreads>(
        &tile.rows[0][0][0], [&](unsigned n) -> CopySource<Two> {
          const int step = step_of(n / kRowSize % kLongSegments, n / (kRowSize * kLongSegments));
          return {rows + step * kRowSize + n % kRowSize, step < block.steps};
        });
    constexpr int kPieces = Shape::kColumns / 2;
    constexpr int kOfStep = kPieces * kLongSegments;
    const Two* coefficients = stage.scalar.coefficients + block.coefficients;
    team.template start_gather<Shape::kColumnTiles * Shape::kSteps * kOfStep, kThreads>(
        reinterpret_cast<Two*>(&tile.coefficients[0][0][0][0]), [&](unsigned n) -> CopySource<Two> {
          const auto g = static_cast<int>(2 * (n / (kOfStep * Shape::kSteps)) + n % kPieces / 2);
          const int step = step_of(n / kPieces % kLongSegments, n / kOfStep % Shape::kSteps);
          const int field = g < block.fields ? g : block.fields - 1;
          return {coefficients + 2 * (static_cast<Index>(field) * block.steps + step) + n % 2, step < block.steps};
        });
    team.end_copies();
  }

  template <class Warp>
  HOST_DEVICE void start(Warp& warp, const SegmentWork& work) const {
    const Index slot = warp.index() * Shape::kWarpPairs;
    const bool idle = work.idle(slot, Shape::kWarpPairs);
    warp.each([&](Lane& lane, int own) {
      lane.idle = idle;
      if (idle) return;
      unrolled<2 * Shape::kRowTiles>([&]<int p>() {
        start_segment(stage, work, kSegments / kLongSegments * (own % 4), slot + 8 * p + own / 4, p, lane.recurrence);
      });
      unrolled<Shape::kRowTiles>([&]<int r>() {
        unrolled<Shape::kColumnTiles>([&]<int c>() { unrolled<4>([&]<int n>() { lane.sum[r][c][n] = 0; }); });
      });
    });
  }

  template <class Warp>
  HOST_DEVICE void run_tile(Warp& warp, const typename Shared::Tile& tile, int count) const {
    if (warp.any_lane().idle) return;
    core::rolled<2>(count, [&](int i) {
      run_step<false>(warp, tile, i);
      run_step<true>(warp, tile, i + 1);
    });
  }

  template <bool kOdd, class Warp>
  HOST_DEVICE void run_step(Warp& warp, const typename Shared::Tile& tile, int i) const {
    warp.each([&](Lane& lane, int own) {
      unrolled<Shape::kColumnTiles>(
          [&]<int c>() { lane.coefficients[c] = tile.coefficients[c][i][own % 4][own / 4 % Shape::kColumns]; });
    });
    unrolled<Shape::kRowTiles>([&]<int r>() {
      warp.each([&](Lane& lane, int own) {
        const Two* row = tile.rows[i][own % 4];
        lane.values[0] = lane.recurrence.template at<kOdd>(2 * r, row);
        lane.values[1] = lane.recurrence.template at<kOdd>(2 * r + 1, row);
      });
      unrolled<Shape::kColumnTiles>([&]<int c>() {
        warp.multiply_add([](const Lane& lane) { return lane.values; },
                          [](const Lane& lane) { return lane.coefficients[c]; },
                          [](Lane& lane) { return lane.sum[r][c]; });
      });
      warp.each([&](Lane& lane, int own) {
        const Two row = tile.rows[i][own % 4][0];
        lane.recurrence.template advance_pair<kOdd>(2 * r, row);
        lane.recurrence.template advance_pair<kOdd>(2 * r + 1, row);
      });
    });
  }

  // As TensorSynthesisBody: of every two lanes, one has the even half of Delta of a field and pair, the other the odd
  // half. They store the northern and the southern ring.
  template <class Warp>
  HOST_DEVICE void store(Warp& warp, const SegmentWork& work) const {
    if (warp.any_lane().idle) return;
    const Index first = warp.index() * Shape::kWarpPairs;
    unrolled<Shape::kRowTiles>([&]<int r>() {
      unrolled<2>([&]<int down>() {
        warp.each([&](Lane& lane, int own) { find_ring(work, first + 16 * r + 8 * down + own / 4, own, lane); });
        unrolled<Shape::kColumnTiles>([&]<int c>() {
          unrolled<2>([&]<int part>() {
            warp.exchange(
                1, [](const Lane& lane, int) { return lane.factor * lane.sum[r][c][2 * down + part]; },
                [](Lane& lane, int, double given) { lane.other[part] = given; });
          });
          warp.each([&](Lane& lane, int own) {
            const int g = 2 * c + own % 4 / 2;
            const Index field = work.first_field + g;
            if (lane.ring < 0 || g >= G || field >= stage.scalar.fields()) return;
            const double factor = own % 2 == 0 ? lane.factor : -lane.factor;
            const double* half = lane.sum[r][c] + 2 * down;
            delta.set(lane.ring + stage.scalar.delta_field(field), lane.other[0] + factor * half[0],
                      lane.other[1] + factor * half[1]);
          });
        });
      });
    });
  }

  // Start of Delta of a lane's ring of a pair, -1 for none, and the factor of its half.
  HOST_DEVICE void find_ring(const SegmentWork& work, Index slot, int own, Lane& lane) const {
    const bool even = own % 2 == 0;
    const Index pair = work.pair(slot);
    const PairNumbers& pairs = stage.scalar.pairs;
    const Index place = (even ? pairs.north_slot : pairs.south_slot)[pair];
    lane.factor = (even ? pairs.even_factor : pairs.odd_factor)[pair];
    lane.ring =
        work.real(slot) && place >= 0 ? stage.scalar.delta_begin(work.k, pair) + place * stage.scalar.fields() : -1;
  }
};

}  // namespace armilla::kernels
