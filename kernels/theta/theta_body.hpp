#pragma once

#include <cmath>

#include <kernels/theta/theta_task.hpp>

namespace armilla::kernels {

/// Threads of a block of each of these kernels. A body does what one thread of one block does; blocks() of them are
/// launched.
inline constexpr int kThetaThreads = 128;

HOST_DEVICE constexpr Index theta_tiles(Index count) { return (count + kThetaThreads - 1) / kThetaThreads; }

/// Where ring j of `length` equidistant ones stands in the sequence whose FFT gives their cosine transform: even j
/// ascending, then odd j descending (Makhoul 1980).
HOST_DEVICE constexpr int sequence_place(int j, int length) { return (j & 1) == 0 ? j >> 1 : length - 1 - (j >> 1); }

/// Of an odd column, rings that go into a sequence are negated where j is odd, those that come out where it is even.
HOST_DEVICE constexpr double sign_in(int j, double sign) { return (j & 1) == 0 ? 1.0 : sign; }
HOST_DEVICE constexpr double sign_out(int j, double sign) { return (j & 1) == 0 ? sign : 1.0; }

/// Own m and items (pairs of rings) of a block that serves one m in all its columns of a chunk.
struct ThetaBlock {
  Index k;
  int item;           ///< of the thread
  Index first, last;  ///< w of the columns, last behind the end
  Index column;       ///< of w = 0 in the buffers; may be negative

  HOST_DEVICE static Index blocks(const ThetaColumns& columns, Index width, Index items) {
    return ((columns.end - 1) / width - columns.begin / width + 1) * theta_tiles(items);
  }
  HOST_DEVICE static ThetaBlock of(const ThetaColumns& columns, Index width, Index items, Index index, int thread) {
    const Index tiles = theta_tiles(items);
    ThetaBlock block{};
    block.k = columns.begin / width + index / tiles;
    block.item = static_cast<int>(index % tiles) * kThetaThreads + thread;
    block.column = block.k * width - columns.begin;
    block.first = block.column < 0 ? -block.column : 0;
    block.last = columns.end - block.k * width < width ? columns.end - block.k * width : width;
    return block;
  }
};

/// Source rings -> sequences. One thread: a pair of the source in the columns of one m.
struct SourceToSequence {
  HOST_DEVICE static Index blocks(const ThetaTask& task, const ThetaColumns& columns) {
    return ThetaBlock::blocks(columns, task.targets.width, task.source_length / 2);
  }
  HOST_DEVICE static void run(const ThetaTask& task, const ThetaColumns& columns, const ComplexDouble* source,
                              ComplexDouble* sequence, Index index, int thread) {
    const Index width = task.targets.width;
    const int length = task.source_length;
    const ThetaBlock b = ThetaBlock::of(columns, width, length / 2, index, thread);
    if (b.item >= length / 2) return;
    const double sign = task.sign[b.k];
    const bool felt = b.item >= task.first_source[b.k];
    for (Index w = b.first; w < b.last; ++w)
      for (int south = 0; south < 2; ++south) {
        const int j = south ? length - 1 - b.item : b.item;
        const ComplexDouble x = felt ? source[(b.k * length + 2 * b.item + south) * width + w] : ComplexDouble{0, 0};
        sequence[(b.column + w) * length + sequence_place(j, length)] = sign_in(j, sign) * x;
      }
  }
};

/// The way back: sequences -> source rings, all of them.
struct SequenceToSource {
  HOST_DEVICE static Index blocks(const ThetaTask& task, const ThetaColumns& columns) {
    return SourceToSequence::blocks(task, columns);
  }
  HOST_DEVICE static void run(const ThetaTask& task, const ThetaColumns& columns, const ComplexDouble* sequence,
                              ComplexDouble* source, Index index, int thread) {
    const Index width = task.targets.width;
    const int length = task.source_length;
    const ThetaBlock b = ThetaBlock::of(columns, width, length / 2, index, thread);
    if (b.item >= length / 2) return;
    const double sign = task.sign[b.k];
    for (Index w = b.first; w < b.last; ++w)
      for (int south = 0; south < 2; ++south) {
        const int j = south ? length - 1 - b.item : b.item;
        source[(b.k * length + 2 * b.item + south) * width + w] =
            sign_out(j, sign) * sequence[(b.column + w) * length + sequence_place(j, length)];
      }
  }
};

/// Spectra of one length -> spectra of another. One thread: one number of one column.
struct ChangeSpectrum {
  /// t_k s_k + sign conj(t_k) s_{from - k}.
  HOST_DEVICE static ComplexDouble coefficient(const SpectrumChange& change, const ComplexDouble* spectrum, double sign,
                                               int k) {
    const ComplexDouble t = change.fold[k];
    if (k == 0) return t.re * (1 + sign) * spectrum[0];
    const ComplexDouble x = spectrum[k];
    const ComplexDouble y = sign * spectrum[change.from - k];
    const ComplexDouble sum{x.re + y.re, x.im + y.im};
    const ComplexDouble difference{x.re - y.re, x.im - y.im};
    return {std::fma(t.re, sum.re, -(t.im * difference.im)), std::fma(t.re, sum.im, t.im * difference.re)};
  }
  /// t_k c_k + sign conj(t_{to - k}) c_{to - k}, as far as there are such coefficients.
  HOST_DEVICE static ComplexDouble number(const SpectrumChange& change, const ComplexDouble* spectrum, double sign,
                                          int k) {
    if (k == 0) return (1 + sign) * coefficient(change, spectrum, sign, 0);
    ComplexDouble sum{0, 0};
    if (k <= change.degree) {
      const ComplexDouble t = change.unfold[k];
      const ComplexDouble c = coefficient(change, spectrum, sign, k);
      sum = {std::fma(t.re, c.re, -(t.im * c.im)), std::fma(t.re, c.im, t.im * c.re)};
    }
    if (change.to - k <= change.degree) {
      const ComplexDouble t = change.unfold[change.to - k];
      const ComplexDouble c = sign * coefficient(change, spectrum, sign, change.to - k);
      sum = sum + ComplexDouble{std::fma(t.re, c.re, t.im * c.im), std::fma(t.re, c.im, -(t.im * c.re))};
    }
    return sum;
  }

  HOST_DEVICE static Index blocks(const SpectrumChange& change, const ThetaColumns& columns) {
    return columns.count() * theta_tiles(change.to);
  }
  HOST_DEVICE static void run(const ThetaTask& task, const ThetaColumns& columns, const SpectrumChange& change,
                              const ComplexDouble* in, ComplexDouble* out, Index index, int thread) {
    const Index tiles = theta_tiles(change.to);
    const Index column = index / tiles;
    const int k = static_cast<int>(index % tiles) * kThetaThreads + thread;
    if (k >= change.to) return;
    const double sign = task.sign[(columns.begin + column) / task.targets.width];
    out[column * change.to + k] = number(change, in + column * change.from, sign, k);
  }
};

/// The fine grid in sequences; it goes on past the pole by parity, and past the equator with the other half.
struct FineColumn {
  const ComplexDouble* sequence;
  int length;
  bool odd;

  /// The rings of a target that reads pairs `first` .. `first` + kThetaWidth - 1, which may lie up to kThetaWidth / 2
  /// past the pole or the equator: ring numbers go on through the equator.
  HOST_DEVICE void target(int first, const double (&weights)[kThetaWidth], ComplexDouble (&ring)[2]) const {
    for (int south = 0; south < 2; ++south) ring[south] = {0, 0};
    for (int i = 0; i < kThetaWidth; ++i) {
      const int pair = first + i;
      const int j = pair < 0 ? -1 - pair : pair;
      const bool even = (j & 1) == 0;
      // The mirror image of an even ring is an odd one, and stands half a sequence apart.
      const int place = sequence_place(j, length);
      const ComplexDouble north = sequence[place];
      const ComplexDouble south = sequence[even ? place + length / 2 : place - length / 2];
      // sign_out of the one ring or of the other, and the sign of the continuation.
      const bool flip_north = odd && even != (pair < 0);
      const bool flip_south = odd && even == (pair < 0);
      const double to_north = flip_north ? -weights[i] : weights[i];
      const double to_south = flip_south ? -weights[i] : weights[i];
      ring[0] = {std::fma(to_north, north.re, ring[0].re), std::fma(to_north, north.im, ring[0].im)};
      ring[1] = {std::fma(to_south, south.re, ring[1].re), std::fma(to_south, south.im, ring[1].im)};
    }
  }
};

/// Sequences of the fine grid -> target rings. One thread: a pair of targets in the columns of one m. kCircle: with
/// what a circle of rings does to them (CircleRings::prepare_transposed), `extra` as InterpolateExtra leaves it.
template <class T, bool kCircle>
struct InterpolateTargets {
  HOST_DEVICE static Index blocks(const ThetaTask& task, const ThetaColumns& columns) {
    return ThetaBlock::blocks(columns, task.targets.width, task.target_pairs);
  }
  HOST_DEVICE static void run(const ThetaTask& task, const ThetaColumns& columns, const ComplexDouble* sequence,
                              const ComplexDouble* extra, ComplexNumber<T>* delta, Index index, int thread) {
    const ThetaBlock b = ThetaBlock::of(columns, task.targets.width, task.target_pairs, index, thread);
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

/// Sequences of the fine grid -> the extra pair of own m number extra_k, extra [w][north, south] of those of its
/// columns that are there. One thread: one column.
struct InterpolateExtra {
  HOST_DEVICE static Index blocks(const ThetaTask& task) { return theta_tiles(task.targets.width); }
  HOST_DEVICE static void run(const ThetaTask& task, const ThetaColumns& columns, const ComplexDouble* sequence,
                              ComplexDouble* extra, Index index, int thread) {
    const Index w = index * kThetaThreads + thread;
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

/// The values of the extra pair of own m number extra_k, from the rings (CircleRings::prepare): one thread adds up
/// every kThetaThreads-th pair of a column.
template <class T>
struct AddUpExtra {
  HOST_DEVICE static Index blocks(const ThetaTask& task) { return task.targets.width; }
  /// shares [w][north, south][thread]
  HOST_DEVICE static void run(const ThetaTask& task, const ComplexNumber<T>* delta, ComplexDouble* shares, Index w,
                              int thread) {
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

/// Second pass: one thread adds up the shares of one end in one column, in their order, to extra [w][north, south].
struct FinishExtra {
  HOST_DEVICE static Index blocks(const ThetaTask& task) { return theta_tiles(2 * task.targets.width); }
  HOST_DEVICE static void run(const ThetaTask& task, const ComplexDouble* shares, ComplexDouble* extra, Index index,
                              int thread) {
    const Index end = index * kThetaThreads + thread;
    if (end >= 2 * task.targets.width) return;
    ComplexDouble sum{0, 0};
    for (int i = 0; i < kThetaThreads; ++i) sum = sum + shares[end * kThetaThreads + i];
    extra[end] = sum;
  }
};

/// The transpose of InterpolateTargets: target rings -> sequences of the fine grid. One thread: a pair of the fine grid
/// in the columns of one m, which adds up the targets that reach it. kCircle: of rings as CircleRings::prepare makes
/// them, with `extra` [w][north, south] at own m number extra_k; an entry's slots are 0 and 1 there.
template <class T, bool kCircle>
struct GatherTargets {
  HOST_DEVICE static Index blocks(const ThetaTask& task, const ThetaColumns& columns) {
    return ThetaBlock::blocks(columns, task.targets.width, task.fine_length / 2);
  }
  HOST_DEVICE static void add(ComplexNumber<T> x, double weight, ComplexDouble& sum) {
    sum = {std::fma(weight, static_cast<double>(x.re), sum.re), std::fma(weight, static_cast<double>(x.im), sum.im)};
  }
  HOST_DEVICE static void run(const ThetaTask& task, const ThetaColumns& columns, const ComplexNumber<T>* delta,
                              const ComplexDouble* extra, ComplexDouble* sequence, Index index, int thread) {
    const int length = task.fine_length;
    const ThetaBlock b = ThetaBlock::of(columns, task.targets.width, length / 2, index, thread);
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

/// Sequences times weights times the column's sign. One thread: one number of one column.
struct WeighSequences {
  HOST_DEVICE static Index blocks(const ThetaColumns& columns, int length) {
    return columns.count() * theta_tiles(length);
  }
  HOST_DEVICE static void run(const ThetaTask& task, const ThetaColumns& columns, const double* weights, double gain,
                              int length, ComplexDouble* sequence, Index index, int thread) {
    const Index tiles = theta_tiles(length);
    const Index column = index / tiles;
    const int i = static_cast<int>(index % tiles) * kThetaThreads + thread;
    if (i >= length) return;
    const double sign = task.sign[(columns.begin + column) / task.targets.width];
    ComplexDouble& number = sequence[column * length + i];
    number = sign * gain * weights[i] * number;
  }
};

}  // namespace armilla::kernels
