#pragma once

#include <kernels/legendre/value_tile.hpp>
#include <kernels/legendre/warp_sums.hpp>

namespace armilla::kernels {

/// Rows and coefficients of a tile of steps for G fields, while those of the next tile are being copied, and the values
/// of each warp.
template <RecurrenceForm kForm, int P, int G>
struct TensorSynthesisShared {
  static constexpr int kRowSize = PairRecurrence<kForm, 1>::kRowSize;
  static constexpr int kSteps = 32;
  struct Tile {
    static constexpr int kSteps = TensorSynthesisShared::kSteps;
    Two rows[kSteps * kRowSize];
    Two coefficients[G][2 * kSteps];

    /// Element q of {even re, even im, odd re, odd im} of a field at the i-th step.
    HOST_DEVICE double coefficient(int field, int i, int q) const {
      return reinterpret_cast<const double*>(coefficients[field])[4 * i + q];
    }
  };
  Tile tiles[2];
  ValueTile<P> values[kMaxWarps];

  /// Bytes for a block of this number of threads.
  static constexpr std::size_t bytes(int threads) {
    return sizeof(tiles) + static_cast<std::size_t>(threads / kWarp) * sizeof(ValueTile<P>);
  }
};

/// State of one thread: the recurrence of P ring pairs, and its part of the sums of all pairs of the warp for G fields.
template <RecurrenceForm kForm, int P, int G>
struct TensorSynthesisLane {
  /// A product has 16 rows (pairs) and 8 columns (four values of two fields).
  static constexpr int kRowTiles = kWarp / 16;
  static constexpr int kColumnTiles = G / 2;

  PairRecurrence<kForm, P> recurrence;
  double sum[P][kRowTiles][kColumnTiles][4];
  double values[2];
  double coefficients[kColumnTiles];
  double factor, other[2];
  Index ring;
  WarpProgress progress;
};

/// Computes Delta of the pairs of a block and its fields by tensor cores; overwrites it. Each value is summed over
/// steps in order, four at a time, for any P and G. Fields after the last one duplicate it and are not stored.
template <RecurrenceForm kForm, int P, int G>
struct TensorSynthesisBody {
  static_assert(G % 2 == 0);
  using Lane = TensorSynthesisLane<kForm, P, G>;
  using Shared = TensorSynthesisShared<kForm, P, G>;
  static constexpr int kTileSteps = Shared::kSteps;

  const ScalarStage& stage;
  const DeltaNumbers& delta;

  template <class Team>
  HOST_DEVICE void run(Team& team, const BlockWork& work) const {
    if (work.idle(stage)) return;
    team.each_warp([&](auto& warp) {
      start_warp<double, P>(stage, work, warp, [](Lane& lane, int, const LanePairs&) {
        each_sum([&]<int p, int b, int t>() { unrolled<4>([&]<int n>() { lane.sum[p][b][t][n] = 0; }); });
      });
    });
    const TileSource<Shared::kRowSize, G, double> source(stage, work, work.real_fields(stage, G));
    const auto tile_of = [&](int begin) -> auto& { return team.shared().tiles[begin / kTileSteps % 2]; };
    each_tile<kTileSteps>(
        team, work.steps, [&](int begin) { source.start(team, begin, tile_of(begin)); },
        [&](int begin, int end) {
          const auto& tile = tile_of(begin);
          team.each_warp([&](auto& warp) { run_tile(warp, tile, team.shared().values[warp.index()], begin, end); });
          team.barrier();
        });
    team.each_warp([&](auto& warp) { store(warp, work); });
  }

 private:
  template <class Body>
  HOST_DEVICE static void each_sum(const Body& body) {
    unrolled<P>([&]<int p>() {
      unrolled<Lane::kRowTiles>(
          [&]<int b>() { unrolled<Lane::kColumnTiles>([&]<int t>() { body.template operator()<p, b, t>(); }); });
    });
  }

  template <class Warp>
  HOST_DEVICE void run_tile(Warp& warp, const typename Shared::Tile& tile, ValueTile<P>& values, int begin,
                            int end) const {
    if (warp.any_lane().progress == WarpProgress::kIdle) return;
    for (int k = begin; k < end; k += kValueSteps) {
      const int i = k - begin;
      const int count = end - k < kValueSteps ? kProductSteps : kValueSteps;
      if (values.make(warp, tile.rows + i * Shared::kRowSize, k, count))
        core::rolled<kProductSteps>(count, [&](int s) { multiply(warp, tile, values, i, s); });
      warp.sync();
    }
  }

  // Steps i + s .. i + s + 3 of the tile, which are steps s .. s + 3 of the values.
  template <class Warp>
  HOST_DEVICE void multiply(Warp& warp, const typename Shared::Tile& tile, const ValueTile<P>& values, int i,
                            int s) const {
    warp.each([&](Lane& lane, int own) {
      const int column = own / 4;
      unrolled<Lane::kColumnTiles>(
          [&]<int t>() { lane.coefficients[t] = tile.coefficient(2 * t + column / 4, i + s + own % 4, column % 4); });
    });
    unrolled<P>([&]<int p>() {
      unrolled<Lane::kRowTiles>([&]<int b>() {
        warp.each([&](Lane& lane, int own) {
          const double* y = values.y[p][s + own % 4] + 16 * b + own / 4;
          lane.values[0] = y[0];
          lane.values[1] = y[8];
        });
        unrolled<Lane::kColumnTiles>([&]<int t>() {
          warp.multiply_add([](const Lane& lane) { return lane.values; },
                            [](const Lane& lane) { return lane.coefficients[t]; },
                            [](Lane& lane) { return lane.sum[p][b][t]; });
        });
      });
    });
  }

  // Of every two lanes, one has the even half of Delta of a field and pair, the other the odd half. They store the
  // northern and the southern ring.
  template <class Warp>
  HOST_DEVICE void store(Warp& warp, const BlockWork& work) const {
    if (warp.any_lane().progress == WarpProgress::kIdle) return;
    const LanePairs pairs(stage, work, warp.index(), P);
    unrolled<P>([&]<int p>() {
      unrolled<Lane::kRowTiles>([&]<int b>() {
        unrolled<2>([&]<int down>() {
          warp.each([&](Lane& lane, int own) {
            find_ring(work, pairs, pairs.place(p, 16 * b + 8 * down + own / 4), own, lane);
          });
          unrolled<Lane::kColumnTiles>([&]<int t>() {
            unrolled<2>([&]<int part>() {
              warp.exchange(
                  1, [](const Lane& lane, int) { return lane.factor * lane.sum[p][b][t][2 * down + part]; },
                  [](Lane& lane, int, double given) { lane.other[part] = given; });
            });
            warp.each([&](Lane& lane, int own) {
              const Index field = work.first_field + 2 * t + own % 4 / 2;
              if (lane.ring < 0 || field >= stage.fields()) return;
              const double factor = own % 2 == 0 ? lane.factor : -lane.factor;
              const double* half = lane.sum[p][b][t] + 2 * down;
              delta.set(lane.ring + stage.delta_field(field), lane.other[0] + factor * half[0],
                        lane.other[1] + factor * half[1]);
            });
          });
        });
      });
    });
  }

  // Start of Delta of a lane's ring of a pair, -1 for none, and the factor of its half.
  HOST_DEVICE void find_ring(const BlockWork& work, const LanePairs& pairs, Index place, int own, Lane& lane) const {
    const bool even = own % 2 == 0;
    const Index pair = pairs.nearest(place);
    const Index slot = (even ? stage.pairs.north_slot : stage.pairs.south_slot)[pair];
    lane.factor = (even ? stage.pairs.even_factor : stage.pairs.odd_factor)[pair];
    lane.ring = pairs.real(place) && slot >= 0 ? stage.delta_begin(work.k, pair) + slot * stage.fields() : -1;
  }
};

}  // namespace armilla::kernels
