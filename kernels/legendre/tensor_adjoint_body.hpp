#pragma once

#include <kernels/legendre/value_tile.hpp>
#include <kernels/legendre/warp_sums.hpp>

namespace armilla::kernels {

/// Maximum warps per block: enough pairs that partial sums of blocks cause little memory traffic.
inline constexpr int kMaxTensorWarps = 8;

/// Rows of a tile of steps, and for each warp its values and its sums over pairs. While a tile is processed, the rows
/// of the next one are copied and the sums of the previous one are added.
template <RecurrenceForm kForm, int P, int G>
struct TensorAdjointShared {
  static constexpr int kRowSize = PairRecurrence<kForm, 1>::kRowSize;
  static constexpr int kSteps = 16;
  struct WarpTile {
    ValueTile<P> values;
    Two sums[2][kSteps / kValueSteps][4 * G][kValueSteps / 2];  ///< [steps / 8][value of a field][step % 8]
  };
  Two rows[2][kSteps * kRowSize];
  WarpSums block_sums;
  RowSource<kRowSize> source;  ///< here because there are no free registers
  WarpTile warps[kMaxTensorWarps];

  /// Bytes for a block of this number of threads.
  static constexpr std::size_t bytes(int threads) {
    return sizeof(TensorAdjointShared) - static_cast<std::size_t>(kMaxTensorWarps - threads / kWarp) * sizeof(WarpTile);
  }
};

/// State of one thread: the recurrence of P ring pairs, and its part of Delta of all pairs of the warp for G fields and
/// of their sums.
template <RecurrenceForm kForm, int P, int G>
struct TensorAdjointLane {
  /// A product has 16 rows (four values of four fields) and 8 columns (steps), summed over 4 pairs.
  static constexpr int kRowTiles = G / 4;
  static constexpr int kPairTiles = kWarp / 4;

  PairRecurrence<kForm, P> recurrence;
  double delta[P][kPairTiles][kRowTiles][2];
  double sum[P][kRowTiles][4];  ///< separate for each pair of a lane, to keep chains of products short
  double value;
  WarpProgress progress;
};

/// Partial sums of a block by tensor cores, of Delta in double precision; overwrites them. Sums are over the pairs of a
/// warp, four at a time, then over warps, so that the order depends on P but not on G. Fields after the last one
/// duplicate it and are not stored.
template <RecurrenceForm kForm, int P, int G>
struct TensorAdjointBody {
  static_assert(G % 4 == 0);
  using Lane = TensorAdjointLane<kForm, P, G>;
  using Shared = TensorAdjointShared<kForm, P, G>;
  static constexpr int kTileSteps = Shared::kSteps;

  const ScalarStage& stage;
  const DeltaNumbers& delta;

  template <class Team>
  HOST_DEVICE void run(Team& team, const BlockWork& work) const {
    if (work.idle(stage)) return;
    const int steps = work.steps;
    start_tile(team, RowSource<Shared::kRowSize>::of(stage, work), 0);
    team.each([&](Lane&, int thread) {
      if (thread != 0) return;
      team.shared().source = RowSource<Shared::kRowSize>::of(stage, work);
      team.shared().block_sums = WarpSums::of(stage, work, team.threads() / kWarp, P, work.real_fields(stage, G));
    });
    team.each_warp([&](auto& warp) {
      start_warp<double, P>(stage, work, warp, [](Lane&, int, const LanePairs&) {});
      if (warp.any_lane().progress == WarpProgress::kIdle) return;
      const LanePairs pairs(stage, work, warp.index(), P);
      unrolled<P>([&]<int p>() {
        warp.each([&](Lane& lane, int own) {
          unrolled<Lane::kPairTiles>(
              [&]<int a>() { load(work, pairs, pairs.place(p, 4 * a + own % 4), own / 4, lane.delta[p][a]); });
        });
        warp.sync();  // there are not enough registers for the addresses of all pairs at once
      });
    });
    // One barrier per tile. After it, all warps have finished the previous tile: its rows can be overwritten, and its
    // sums are complete.
    for (int begin = 0; begin < steps; begin += kTileSteps) {
      team.template wait_for_copies<0>();
      team.barrier();
      if (begin + kTileSteps < steps) start_tile(team, team.shared().source, begin + kTileSteps);
      if (begin > 0) add_warps(team, begin - kTileSteps, begin);
      const int end = begin + kTileSteps < steps ? begin + kTileSteps : steps;
      const int tile = begin / kTileSteps % 2;
      team.each_warp([&](auto& warp) {
        run_tile(warp, team.shared().rows[tile], team.shared().warps[warp.index()], tile, begin, end);
      });
    }
    team.barrier();
    add_warps(team, (steps - 1) / kTileSteps * kTileSteps, steps);
  }

 private:
  template <class Team>
  HOST_DEVICE void start_tile(Team& team, const RowSource<Shared::kRowSize>& source, int begin) const {
    source.template start<kTileSteps>(team, begin, team.shared().rows[begin / kTileSteps % 2]);
    team.end_copies();
  }

  template <class Team>
  HOST_DEVICE void add_warps(Team& team, int begin, int end) const {
    const int tile = begin / kTileSteps % 2;
    const auto sum = [&](int warp, int step, int number) {
      const Two* sums = team.shared().warps[warp].sums[tile][step / kValueSteps][number];
      return reinterpret_cast<const double*>(sums)[step % kValueSteps];
    };
    const WarpSums block_sums = team.shared().block_sums;
    team.each([&](Lane&, int thread) { block_sums.add<kTileSteps>(begin, end - begin, thread, team.threads(), sum); });
  }

  // Rows `first` + 0, 8, 16, .. of the four values of each field at a pair; zeros for absent rings.
  HOST_DEVICE void load(const BlockWork& work, const LanePairs& pairs, Index place, int first,
                        double (*rows)[2]) const {
    const DeltaPositions positions(stage, work, pairs, place);
    const bool odd = first % 4 >= 2;
    const bool re = first % 2 == 0;
    const double factor = (odd ? stage.pairs.odd_factor : stage.pairs.even_factor)[positions.pair];
    const double sign = odd ? -1.0 : 1.0;
    const auto number = [&](bool has, Index at) {
      const double value = re ? delta.in_double[at].re : delta.in_double[at].im;
      return has ? value : 0.0;
    };
    unrolled<Lane::kRowTiles>([&]<int t>() {
      unrolled<2>([&]<int down>() {
        const Index field = stage.delta_field(work.real_field(stage, 4 * t + 2 * down + first / 4));
        rows[t][down] = factor * (number(positions.has_north, positions.north + field) +
                                  sign * number(positions.has_south, positions.south + field));
      });
    });
  }

  template <class Warp>
  HOST_DEVICE void run_tile(Warp& warp, const Two* rows, typename Shared::WarpTile& tile, int number, int begin,
                            int end) const {
    if (warp.any_lane().progress == WarpProgress::kIdle) return;
    for (int k = begin; k < end; k += kValueSteps) {
      const int i = k - begin;
      const int count = end - k < kValueSteps ? kProductSteps : kValueSteps;
      warp.each([&](Lane& lane, int) {
        unrolled<P>([&]<int p>() {
          unrolled<Lane::kRowTiles>([&]<int t>() { unrolled<4>([&]<int n>() { lane.sum[p][t][n] = 0; }); });
        });
      });
      // Steps after the last one give arbitrary sums, which are never read.
      if (tile.values.make(warp, rows + i * Shared::kRowSize, k, count)) multiply(warp, tile.values);
      warp.each([&](Lane& lane, int own) {
        Two(*sums)[kValueSteps / 2] = tile.sums[number][i / kValueSteps] + own / 4;
        unrolled<Lane::kRowTiles>([&]<int t>() {
          double all[4];
          unrolled<4>([&]<int n>() {
            all[n] = lane.sum[0][t][n];
            unrolled<P - 1>([&]<int p>() { all[n] += lane.sum[p + 1][t][n]; });
          });
          sums[16 * t][own % 4] = {all[0], all[1]};
          sums[16 * t + 8][own % 4] = {all[2], all[3]};
        });
      });
      warp.sync();
    }
  }

  template <class Warp>
  HOST_DEVICE void multiply(Warp& warp, const ValueTile<P>& values) const {
    unrolled<Lane::kPairTiles>([&]<int a>() {
      unrolled<P>([&]<int p>() {
        warp.each([&](Lane& lane, int own) { lane.value = values.y[p][own / 4][4 * a + own % 4]; });
        unrolled<Lane::kRowTiles>([&]<int t>() {
          warp.multiply_add([](const Lane& lane) { return lane.delta[p][a][t]; },
                            [](const Lane& lane) { return lane.value; }, [](Lane& lane) { return lane.sum[p][t]; });
        });
      });
    });
  }
};

}  // namespace armilla::kernels
