#pragma once

#include <climits>
#include <cmath>

#include <kernels/core/unrolled.hpp>
#include <kernels/theta/theta_body.hpp>

namespace armilla::kernels {

/// Where a pair of targets reads the sequences of the fine grid, and its weights. The grid continues by parity beyond
/// the pole, and with the other half beyond the equator.
struct FineTarget {
  double weights[kThetaWidth];
  int place[kThetaWidth];  ///< of the northern rings
  int half;                ///< of the length of a sequence
  bool first_even;         ///< pair

  /// The pairs read, first_point .. first_point + kThetaWidth - 1, may be up to kThetaWidth / 2 beyond the pole or the
  /// equator; ring indices continue across the equator.
  HOST_DEVICE FineTarget(const ThetaTask& task, int target) {
    const int first = task.first_point[target];
    half = task.fine_length / 2;
    first_even = (first & 1) == 0;
    for (int i = 0; i < kThetaWidth; ++i) {
      const int pair = first + i;
      weights[i] = task.weights[Index{i} * task.table_targets + target];
      place[i] = sequence_place(pair < 0 ? -1 - pair : pair, task.fine_length);
    }
  }

  /// The two rings of the target in a column with that sign of the continuation. sign_out of a northern ring and the
  /// sign of the continuation together are `sign` for even pairs, those of a southern ring for odd pairs.
  HOST_DEVICE void rings(const ComplexDouble* sequence, double sign, ComplexDouble (&ring)[2]) const {
    const double signs[2] = {first_even ? sign : 1.0, first_even ? 1.0 : sign};
    for (int south = 0; south < 2; ++south) ring[south] = {0, 0};
    for (int i = 0; i < kThetaWidth; ++i) {
      // The mirror image of an even ring is an odd one, half a sequence away; even rings are in the first half.
      const ComplexDouble north = sequence[place[i]];
      const ComplexDouble south = sequence[place[i] < half ? place[i] + half : place[i] - half];
      const double to_north = signs[i & 1] * weights[i];
      const double to_south = signs[1 - (i & 1)] * weights[i];
      ring[0] = {std::fma(to_north, north.re, ring[0].re), std::fma(to_north, north.im, ring[0].im)};
      ring[1] = {std::fma(to_south, south.re, ring[1].re), std::fma(to_south, south.im, ring[1].im)};
    }
  }
};

/// Sequences of the fine grid -> target rings. One thread: a pair of targets in the columns of a tile. kCircle: with
/// the operation of a circle of rings (CircleRings::prepare_transposed), and `extra` from InterpolateExtra.
template <class T, bool kCircle>
struct InterpolateTargets {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  KernelPointer<const ComplexDouble> sequence;
  KernelPointer<const ComplexDouble> extra;
  KernelPointer<ComplexNumber<T>> delta;

  GridSize grid() const { return {ThetaTile::blocks(columns, task.target_pairs)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index width = task.targets.width;
    ThetaTile tile = ThetaTile::of(columns, width, task.target_pairs, block.x, thread);
    const int item = tile.item;
    if (item >= task.target_pairs) return;
    const FineTarget target(task, item);
    const Index of_block = task.targets.pair_block[item];
    const Index slots[2] = {task.targets.north_slot[item], task.targets.south_slot[item]};
    for (int c = 0; c < tile.count; ++c, tile.advance(width)) {
      if (item < task.first_pair[tile.k]) continue;
      ComplexDouble ring[2];
      target.rings(sequence + (tile.first + c) * task.fine_length, task.sign[tile.k], ring);
      const Index shift = task.targets.block_shift[tile.k * task.targets.blocks + of_block] + tile.w;
      for (int south = 0; south < 2; ++south) {
        if (slots[south] < 0) continue;
        ComplexDouble sum = ring[south];
        if constexpr (kCircle) {
          if (task.extra_share != nullptr && task.extra_k == tile.k) {
            const double* share = task.extra_share + 4 * item + 2 * south;
            for (int end = 0; end < 2; ++end) sum = sum + share[end] * extra[2 * tile.w + end];
          }
          sum = task.ring_factor[2 * item + south] * sum;
        }
        delta[shift + slots[south] * width] = {static_cast<T>(sum.re), static_cast<T>(sum.im)};
      }
    }
  }
};

/// InterpolateTargets for targets that are the pairs of the fine grid.
template <class T>
struct TakeFineGrid {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  KernelPointer<const ComplexDouble> sequence;
  KernelPointer<ComplexNumber<T>> delta;

  GridSize grid() const { return {ThetaBlock::blocks(columns, task.targets.width, task.target_pairs)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const int length = task.fine_length;
    const ThetaBlock b = ThetaBlock::of(columns, task.targets.width, task.target_pairs, block.x, thread);
    if (b.item >= task.target_pairs || b.item < task.first_pair[b.k]) return;
    const PairPlace place = task.targets.of(b.k, b.item);
    const double sign = task.sign[b.k];
    for (Index w = b.first; w < b.last; ++w)
      for (int south = 0; south < 2; ++south) {
        const Index position = south ? place.south : place.north;
        if (position < 0) continue;
        const int j = south ? length - 1 - b.item : b.item;
        const ComplexDouble x = sign_out(j, sign) * sequence[(b.column + w) * length + sequence_place(j, length)];
        delta[position + w] = {static_cast<T>(x.re), static_cast<T>(x.im)};
      }
  }
};

/// Sequences of the fine grid -> the extra pair of the local m with index extra_k, extra [w][north, south], for its
/// columns in the chunk. One thread: one column.
struct InterpolateExtra {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  KernelPointer<const ComplexDouble> sequence;
  KernelPointer<ComplexDouble> extra;

  GridSize grid() const { return {theta_tiles(task.targets.width)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index w = block.x * kThetaThreads + thread;
    const Index column = task.extra_k * task.targets.width + w;
    if (w >= task.targets.width || column < columns.begin || column >= columns.end) return;
    const FineTarget target(task, task.target_pairs);
    ComplexDouble ring[2];
    target.rings(sequence + (column - columns.begin) * task.fine_length, task.sign[task.extra_k], ring);
    for (int south = 0; south < 2; ++south) extra[2 * w + south] = ring[south];
  }
};

/// The values of the extra pair of the local m with index extra_k, from the rings (CircleRings::prepare): one thread
/// adds up every kThetaThreads-th pair of a column.
template <class T>
struct AddUpExtra {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  KernelPointer<const ComplexNumber<T>> delta;
  KernelPointer<ComplexDouble> shares;  ///< [w][north, south][thread]

  GridSize grid() const { return {task.targets.width}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index w = block.x;
    const Index k = task.extra_k;
    ComplexDouble extra[2] = {{0, 0}, {0, 0}};
    for (int p = thread; p < task.target_pairs; p += kThetaThreads) {
      if (p < task.first_pair[k]) continue;
      const PairPlace place = task.targets.of(k, p);
      for (int south = 0; south < 2; ++south) {
        const Index position = south ? place.south : place.north;
        if (position < 0) continue;
        const ComplexNumber<T> x = delta[position + w];
        const ComplexDouble value = task.ring_factor[2 * p + south] * ComplexDouble{double(x.re), double(x.im)};
        for (int end = 0; end < 2; ++end) {
          const double share = task.extra_share[4 * p + 2 * south + end];
          extra[end] = {std::fma(share, value.re, extra[end].re), std::fma(share, value.im, extra[end].im)};
        }
      }
    }
    for (int end = 0; end < 2; ++end) shares[(2 * w + end) * kThetaThreads + thread] = extra[end];
  }
};

/// Second pass: one thread adds up the shares of one end in one column, in order, to extra [w][north, south].
struct FinishExtra {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  KernelPointer<const ComplexDouble> shares;
  KernelPointer<ComplexDouble> extra;

  GridSize grid() const { return {theta_tiles(2 * task.targets.width)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index end = block.x * kThetaThreads + thread;
    if (end >= 2 * task.targets.width) return;
    ComplexDouble sum{0, 0};
    for (int i = 0; i < kThetaThreads; ++i) sum = sum + shares[end * kThetaThreads + i];
    extra[end] = sum;
  }
};

/// The transpose of InterpolateTargets: target rings -> sequences of the fine grid. One thread processes a pair of the
/// fine grid in the columns of a tile, and adds up the targets that use it. kCircle: for rings as prepared by
/// CircleRings::prepare, with `extra` [w][north, south] at the local m with index extra_k; an entry's slots are 0 and 1
/// there.
template <class T, bool kCircle>
struct GatherTargets {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  KernelPointer<const ComplexNumber<T>> delta;
  KernelPointer<const ComplexDouble> extra;
  KernelPointer<ComplexDouble> sequence;

  HOST_DEVICE static void add(ComplexNumber<T> x, double weight, ComplexDouble& sum) {
    sum = {std::fma(weight, static_cast<double>(x.re), sum.re), std::fma(weight, static_cast<double>(x.im), sum.im)};
  }
  // A column of the tile, without what it shares with the others.
  struct Column {
    int first_pair;  // that contributes; beyond all pairs if the tile does not have the column
    int shifts;      // index of the shift of the first block
    int w;
  };

  GridSize grid() const { return {ThetaTile::blocks(columns, task.fine_length / 2)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const int length = task.fine_length;
    const Index width = task.targets.width;
    const ThetaTile tile = ThetaTile::of(columns, width, length / 2, block.x, thread);
    const int j = tile.item;
    if (j >= length / 2) return;
    Column column[kThetaColumns];
    ComplexDouble north[kThetaColumns], south[kThetaColumns];
    unsigned odd = 0;  // a bit for each column
    ThetaTile at = tile;
    unrolled<kThetaColumns>([&]<int c>() {
      north[c] = south[c] = {0, 0};
      column[c] = {INT_MAX, 0, 0};
      if (c >= tile.count) return;
      column[c] = {static_cast<int>(task.first_pair[at.k]), static_cast<int>(at.k * task.targets.blocks),
                   static_cast<int>(at.w)};
      odd |= task.sign[at.k] < 0 ? 1U << c : 0U;
      at.advance(width);
    });
    const int end = task.entry_begin[j + 1];
    for (int e = task.entry_begin[j]; e < end; ++e) {
      const ThetaEntry entry = task.entries[e];
      const unsigned flips = entry.past_pole() ? odd : 0U;
      const bool is_extra = kCircle && entry.pair() == task.target_pairs;
      const Index north_offset = entry.north * (is_extra ? 1 : width);
      const Index south_offset = entry.south * (is_extra ? 1 : width);
      unrolled<kThetaColumns>([&]<int c>() {
        if (entry.pair() < column[c].first_pair) return;
        const bool flip = (flips >> c & 1U) != 0;
        const double to_north = flip ? -entry.to_north : entry.to_north;
        const double to_south = flip ? -entry.to_south : entry.to_south;
        if (is_extra) {
          if (task.extra_k * task.targets.blocks != column[c].shifts) return;
          north[c] = north[c] + to_north * extra[2 * column[c].w + north_offset];
          south[c] = south[c] + to_south * extra[2 * column[c].w + south_offset];
          return;
        }
        const Index shift = task.targets.block_shift[column[c].shifts + entry.block] + column[c].w;
        if (entry.north >= 0) add(delta[shift + north_offset], to_north, north[c]);
        if (entry.south >= 0) add(delta[shift + south_offset], to_south, south[c]);
      });
    }
    unrolled<kThetaColumns>([&]<int c>() {
      if (c >= tile.count) return;
      const double sign = (odd >> c & 1U) != 0 ? -1.0 : 1.0;
      ComplexDouble* to = sequence + (tile.first + c) * length;
      to[sequence_place(j, length)] = sign_in(j, sign) * north[c];
      to[sequence_place(length - 1 - j, length)] = sign_in(length - 1 - j, sign) * south[c];
    });
  }
};

/// The transpose of TakeFineGrid.
template <class T>
struct PutFineGrid {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  KernelPointer<const ComplexNumber<T>> delta;
  KernelPointer<ComplexDouble> sequence;

  GridSize grid() const { return {ThetaBlock::blocks(columns, task.targets.width, task.fine_length / 2)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const int length = task.fine_length;
    const ThetaBlock b = ThetaBlock::of(columns, task.targets.width, length / 2, block.x, thread);
    if (b.item >= length / 2) return;
    const bool felt = b.item >= task.first_pair[b.k];
    const PairPlace place = felt ? task.targets.of(b.k, b.item) : PairPlace{-1, -1};
    const double sign = task.sign[b.k];
    for (Index w = b.first; w < b.last; ++w)
      for (int south = 0; south < 2; ++south) {
        const Index position = south ? place.south : place.north;
        const int j = south ? length - 1 - b.item : b.item;
        ComplexDouble x{0, 0};
        if (position >= 0) {
          const ComplexNumber<T> value = delta[position + w];
          x = {static_cast<double>(value.re), static_cast<double>(value.im)};
        }
        sequence[(b.column + w) * length + sequence_place(j, length)] = sign_in(j, sign) * x;
      }
  }
};

}  // namespace armilla::kernels
