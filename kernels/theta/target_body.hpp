#pragma once

#include <cmath>

#include <kernels/theta/theta_body.hpp>

namespace armilla::kernels {

/// The fine grid in sequences. It continues by parity beyond the pole, and with the other half beyond the equator.
struct FineColumn {
  KernelPointer<const ComplexDouble> sequence;
  int length;
  bool odd;

  /// The rings of a target that reads pairs `first` .. `first` + kThetaWidth - 1, which may be up to kThetaWidth / 2
  /// beyond the pole or the equator; ring indices continue across the equator.
  HOST_DEVICE void target(int first, const double (&weights)[kThetaWidth], ComplexDouble (&ring)[2]) const {
    for (int south = 0; south < 2; ++south) ring[south] = {0, 0};
    for (int i = 0; i < kThetaWidth; ++i) {
      const int pair = first + i;
      const int j = pair < 0 ? -1 - pair : pair;
      const bool even = (j & 1) == 0;
      // The mirror image of an even ring is an odd one, half a sequence away.
      const int place = sequence_place(j, length);
      const ComplexDouble north = sequence[place];
      const ComplexDouble south = sequence[even ? place + length / 2 : place - length / 2];
      // sign_out of either ring, and the sign of the continuation.
      const bool flip_north = odd && even != (pair < 0);
      const bool flip_south = odd && even == (pair < 0);
      const double to_north = flip_north ? -weights[i] : weights[i];
      const double to_south = flip_south ? -weights[i] : weights[i];
      ring[0] = {std::fma(to_north, north.re, ring[0].re), std::fma(to_north, north.im, ring[0].im)};
      ring[1] = {std::fma(to_south, south.re, ring[1].re), std::fma(to_south, south.im, ring[1].im)};
    }
  }
};

/// Sequences of the fine grid -> target rings. One thread: a pair of targets in the columns of one m. kCircle: with the
/// operation of a circle of rings (CircleRings::prepare_transposed), and `extra` from InterpolateExtra.
template <class T, bool kCircle>
struct InterpolateTargets {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  KernelPointer<const ComplexDouble> sequence;
  KernelPointer<const ComplexDouble> extra;
  KernelPointer<ComplexNumber<T>> delta;

  GridSize grid() const { return {ThetaBlock::blocks(columns, task.targets.width, task.target_pairs)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const ThetaBlock b = ThetaBlock::of(columns, task.targets.width, task.target_pairs, block.x, thread);
    if (b.item >= task.target_pairs || b.item < task.first_pair[b.k]) return;
    const PairPlace place = task.targets.of(b.k, b.item);
    double weights[kThetaWidth];
    for (int i = 0; i < kThetaWidth; ++i) weights[i] = task.weights[Index{i} * task.table_targets + b.item];
    const int first = task.first_point[b.item];
    for (Index w = b.first; w < b.last; ++w) {
      const FineColumn fine{sequence + (b.column + w) * task.fine_length, task.fine_length, task.sign[b.k] < 0};
      ComplexDouble ring[2];
      fine.target(first, weights, ring);
      for (int south = 0; south < 2; ++south) {
        const Index position = south ? place.south : place.north;
        if (position < 0) continue;
        ComplexDouble sum = ring[south];
        if constexpr (kCircle) {
          if (task.extra_share != nullptr && task.extra_k == b.k) {
            const double* share = task.extra_share + 4 * b.item + 2 * south;
            for (int end = 0; end < 2; ++end) sum = sum + share[end] * extra[2 * w + end];
          }
          sum = task.ring_factor[2 * b.item + south] * sum;
        }
        delta[position + w] = {static_cast<T>(sum.re), static_cast<T>(sum.im)};
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
    const FineColumn fine{sequence + (column - columns.begin) * task.fine_length, task.fine_length,
                          task.sign[task.extra_k] < 0};
    double weights[kThetaWidth];
    for (int i = 0; i < kThetaWidth; ++i) weights[i] = task.weights[Index{i} * task.table_targets + task.target_pairs];
    ComplexDouble ring[2];
    fine.target(task.first_point[task.target_pairs], weights, ring);
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
/// fine grid in the columns of one m, and adds up the targets that use it. kCircle: for rings as prepared by
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

  GridSize grid() const { return {ThetaBlock::blocks(columns, task.targets.width, task.fine_length / 2)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const int length = task.fine_length;
    const ThetaBlock b = ThetaBlock::of(columns, task.targets.width, length / 2, block.x, thread);
    if (b.item >= length / 2) return;
    const double sign = task.sign[b.k];
    const Index first_pair = task.first_pair[b.k];
    const Index* shifts = task.targets.block_shift + b.k * task.targets.blocks;
    const int begin = task.entry_begin[b.item];
    const int end = task.entry_begin[b.item + 1];
    for (Index w = b.first; w < b.last; ++w) {
      ComplexDouble north{0, 0};
      ComplexDouble south{0, 0};
      for (int e = begin; e < end; ++e) {
        const ThetaEntry entry = task.entries[e];
        if (entry.pair() < first_pair) continue;
        const double to_north = entry.past_pole() ? sign * entry.to_north : entry.to_north;
        const double to_south = entry.past_pole() ? sign * entry.to_south : entry.to_south;
        if (kCircle && entry.pair() == task.target_pairs) {
          if (task.extra_k != b.k) continue;
          north = north + to_north * extra[2 * w + entry.north];
          south = south + to_south * extra[2 * w + entry.south];
          continue;
        }
        const Index shift = shifts[entry.block] + w;
        if (entry.north >= 0) add(delta[shift + entry.north * task.targets.width], to_north, north);
        if (entry.south >= 0) add(delta[shift + entry.south * task.targets.width], to_south, south);
      }
      ComplexDouble* column = sequence + (b.column + w) * length;
      const int j = b.item;
      column[sequence_place(j, length)] = sign_in(j, sign) * north;
      column[sequence_place(length - 1 - j, length)] = sign_in(length - 1 - j, sign) * south;
    }
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
