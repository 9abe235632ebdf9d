#pragma once

#include <cmath>

#include <kernels/core/unrolled.hpp>
#include <kernels/theta/theta_body.hpp>

namespace armilla::kernels {

/// The points of the fine grid that a pair of targets reads, and their weights, for all columns. In a sequence, the
/// grid continues by parity beyond the pole, and with the other half beyond the equator.
struct FineTarget {
  double weights[kThetaWidth];
  int north[kThetaWidth];  ///< places of the northern rings
  int half;                ///< of a sequence
  double first_sign;       ///< -1 if the first pair that it reads is odd

  /// These pairs may be up to kThetaWidth / 2 beyond the pole or the equator; ring indices continue across the equator.
  HOST_DEVICE FineTarget(const ThetaTask& task, int target) {
    const int first = task.first_point[target];
    half = task.fine_length / 2;
    first_sign = (first & 1) == 0 ? 1.0 : -1.0;
    for (int i = 0; i < kThetaWidth; ++i) {
      weights[i] = task.weights[Index{i} * task.table_targets + target];
      const int pair = first + i;
      north[i] = sequence_place(pair < 0 ? -1 - pair : pair, task.fine_length);
    }
  }

  HOST_DEVICE void rings(const ComplexDouble* sequence, double sign, ComplexDouble (&ring)[2]) const {
    if (sign > 0) return sums<1>(sequence, ring);
    sums<-1>(sequence, ring);
    // Adding zero leaves no negative zeros.
    for (ComplexDouble& sum : ring) sum = {std::fma(first_sign, sum.re, 0.0), std::fma(first_sign, sum.im, 0.0)};
  }

 private:
  // For odd columns, sign_out of a ring and the sign of the continuation together negate even pairs in the north and
  // odd pairs in the south. This is for an even first pair; for an odd one, both sums are negated.
  template <int kSign>
  HOST_DEVICE void sums(const ComplexDouble* sequence, ComplexDouble (&ring)[2]) const {
    for (int south = 0; south < 2; ++south) ring[south] = {0, 0};
    for (int i = 0; i < kThetaWidth; ++i) {
      // The mirror image of a ring is half a sequence away.
      const ComplexDouble x = sequence[north[i]];
      const ComplexDouble y = sequence[north[i] < half ? north[i] + half : north[i] - half];
      const double to_north = kSign < 0 && i % 2 == 0 ? -weights[i] : weights[i];
      const double to_south = kSign < 0 && i % 2 == 1 ? -weights[i] : weights[i];
      ring[0] = {std::fma(to_north, x.re, ring[0].re), std::fma(to_north, x.im, ring[0].im)};
      ring[1] = {std::fma(to_south, y.re, ring[1].re), std::fma(to_south, y.im, ring[1].im)};
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
    if (tile.item >= task.target_pairs) return;
    const FineTarget target(task, tile.item);
    for (int c = 0; c < tile.count; ++c, tile.advance(width)) {
      if (tile.item < task.first_pair[tile.k]) continue;
      ComplexDouble ring[2];
      target.rings(sequence + (tile.column + c) * task.fine_length, task.sign[tile.k], ring);
      const PairPlace place = task.targets.of(tile.k, tile.item);
      for (int south = 0; south < 2; ++south) {
        const Index position = south ? place.south : place.north;
        if (position < 0) continue;
        ComplexDouble sum = ring[south];
        if constexpr (kCircle) {
          if (task.extra_share != nullptr && task.extra_k == tile.k) {
            const double* share = task.extra_share + 4 * tile.item + 2 * south;
            for (int end = 0; end < 2; ++end) sum = sum + share[end] * extra[2 * tile.w + end];
          }
          sum = task.ring_factor[2 * tile.item + south] * sum;
        }
        delta[position + tile.w] = {static_cast<T>(sum.re), static_cast<T>(sum.im)};
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
    ComplexDouble ring[2];
    FineTarget(task, task.target_pairs)
        .rings(sequence + (column - columns.begin) * task.fine_length, task.sign[task.extra_k], ring);
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

  GridSize grid() const { return {ThetaTile::blocks(columns, task.fine_length / 2)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const int length = task.fine_length;
    const ThetaTile tile = ThetaTile::of(columns, task.targets.width, length / 2, block.x, thread);
    const int j = tile.item;
    if (j >= length / 2) return;
    Column all[ThetaTile::kColumns];
    int last_felt = 0;  // from this pair on, targets contribute to all columns
    each_column(tile, all, [&](Column& column, int k, int) {
      column = {nullptr, {0, 0}, {0, 0}};
      const int first_pair = static_cast<int>(task.first_pair[k]);
      last_felt = first_pair > last_felt ? first_pair : last_felt;
    });
    const int end = task.entry_begin[j + 1];
    int block_of_slots = -1;
    for (int e = task.entry_begin[j]; e < end; ++e) {
      const ThetaEntry entry = task.entries[e];
      if (kCircle && entry.pair() == task.target_pairs) {
        each_column(tile, all, [&](Column& column, int k, int w) { add_extra(entry, k, w, column); });
        continue;
      }
      if (entry.block != block_of_slots) {
        block_of_slots = entry.block;
        each_column(tile, all, [&](Column& column, int k, int w) {
          column.delta = delta + (task.targets.block_shift[k * task.targets.blocks + block_of_slots] + w);
        });
      }
      // In most entries both rings contribute to all columns.
      const bool is_whole = entry.pair() >= last_felt && entry.north >= 0 && entry.south >= 0 && !entry.past_pole();
      if (is_whole) {
        const Index north = entry.north * task.targets.width;
        const Index south = entry.south * task.targets.width;
        unrolled<ThetaTile::kColumns>([&]<int c>() {
          add(all[c].delta[north], entry.to_north, all[c].north);
          add(all[c].delta[south], entry.to_south, all[c].south);
        });
      } else {
        each_column(tile, all, [&](Column& column, int k, int) { add_some(entry, k, column); });
      }
    }
    Index present = 0;
    each_column(tile, all, [&](const Column& column, int k, int) {
      if (present >= tile.count) return;
      const double sign = task.sign[k];
      ComplexDouble* of_column = sequence + (tile.column + present++) * length;
      of_column[sequence_place(j, length)] = sign_in(j, sign) * column.north;
      of_column[sequence_place(length - 1 - j, length)] = sign_in(length - 1 - j, sign) * column.south;
    });
  }

 private:
  // Delta of a column in the present block of slots, and the sums of the thread.
  struct Column {
    const ComplexNumber<T>* delta;
    ComplexDouble north, south;
  };

  // Calls work(column, its k, its w). The columns of a tile past its count are calculated like the first one.
  template <class Work>
  HOST_DEVICE void each_column(const ThetaTile& tile, Column (&all)[ThetaTile::kColumns], const Work& work) const {
    ThetaTile at = tile;
    unrolled<ThetaTile::kColumns>([&]<int c>() {
      const bool is_there = c < tile.count;
      work(all[c], is_there ? at.k : tile.k, is_there ? at.w : tile.w);
      at.advance(task.targets.width);
    });
  }
  // Rings that do not contribute are not read.
  HOST_DEVICE void add_some(const ThetaEntry& entry, int k, Column& column) const {
    if (entry.pair() < task.first_pair[k]) return;
    const double sign = entry.past_pole() ? task.sign[k] : 1.0;
    const Index width = task.targets.width;
    if (entry.north >= 0) add(column.delta[entry.north * width], sign * entry.to_north, column.north);
    if (entry.south >= 0) add(column.delta[entry.south * width], sign * entry.to_south, column.south);
  }
  HOST_DEVICE static void add(ComplexNumber<T> x, double weight, ComplexDouble& sum) {
    sum = {std::fma(weight, static_cast<double>(x.re), sum.re), std::fma(weight, static_cast<double>(x.im), sum.im)};
  }
  HOST_DEVICE void add_extra(const ThetaEntry& entry, int k, int w, Column& column) const {
    if (task.extra_k != k || entry.pair() < task.first_pair[k]) return;
    const double sign = entry.past_pole() ? task.sign[k] : 1.0;
    column.north = column.north + sign * entry.to_north * extra[2 * w + entry.north];
    column.south = column.south + sign * entry.to_south * extra[2 * w + entry.south];
  }
};

/// EachThread of GatherTargets, with registers for three blocks on a multiprocessor.
template <class Body>
struct GatherTeam : EachThread<Body> {
  static constexpr int kResidentBlocks = 3;
};
template <class Body>
GatherTeam(EachThread<Body>) -> GatherTeam<Body>;

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
