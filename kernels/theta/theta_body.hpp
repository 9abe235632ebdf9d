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
HOST_DEVICE constexpr Index sequence_place(Index j, Index length) { return j % 2 == 0 ? j / 2 : length - 1 - j / 2; }

/// Of an odd column, rings that go into a sequence are negated where j is odd, those that come out where it is even.
HOST_DEVICE constexpr double sign_in(Index j, double sign) { return j % 2 == 0 ? 1.0 : sign; }
HOST_DEVICE constexpr double sign_out(Index j, double sign) { return j % 2 == 0 ? sign : 1.0; }

/// Own m and items (pairs of rings) of a block that serves one m in all its columns of a chunk.
struct ThetaBlock {
  Index k;
  Index item;         ///< of the thread
  Index first, last;  ///< w of the columns, last behind the end
  Index column;       ///< of w = 0 in the buffers; may be negative

  HOST_DEVICE static Index blocks(const ThetaColumns& columns, Index width, Index items) {
    return ((columns.end - 1) / width - columns.begin / width + 1) * theta_tiles(items);
  }
  HOST_DEVICE static ThetaBlock of(const ThetaColumns& columns, Index width, Index items, Index index, int thread) {
    const Index tiles = theta_tiles(items);
    ThetaBlock block{};
    block.k = columns.begin / width + index / tiles;
    block.item = index % tiles * kThetaThreads + thread;
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
    const Index length = task.source_length;
    const ThetaBlock b = ThetaBlock::of(columns, width, length / 2, index, thread);
    if (b.item >= length / 2) return;
    const double sign = task.sign[b.k];
    const bool felt = b.item >= task.first_source[b.k];
    for (Index w = b.first; w < b.last; ++w)
      for (int south = 0; south < 2; ++south) {
        const Index j = south ? length - 1 - b.item : b.item;
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
    const Index length = task.source_length;
    const ThetaBlock b = ThetaBlock::of(columns, width, length / 2, index, thread);
    if (b.item >= length / 2) return;
    const double sign = task.sign[b.k];
    for (Index w = b.first; w < b.last; ++w)
      for (int south = 0; south < 2; ++south) {
        const Index j = south ? length - 1 - b.item : b.item;
        source[(b.k * length + 2 * b.item + south) * width + w] =
            sign_out(j, sign) * sequence[(b.column + w) * length + sequence_place(j, length)];
      }
  }
};

/// Spectra of one length -> spectra of another. One thread: one number of one column.
struct ChangeSpectrum {
  /// t_k s_k + sign conj(t_k) s_{from - k}.
  HOST_DEVICE static ComplexDouble coefficient(const SpectrumChange& change, const ComplexDouble* spectrum, double sign,
                                               Index k) {
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
                                          Index k) {
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
    const Index k = index % tiles * kThetaThreads + thread;
    if (k >= change.to) return;
    const double sign = task.sign[(columns.begin + column) / task.targets.width];
    out[column * change.to + k] = number(change, in + column * change.from, sign, k);
  }
};

/// The fine grid in sequences, goes on past the pole by parity, and past the equator with the other half.
struct FineColumn {
  const ComplexDouble* sequence;
  Index length;
  double sign;

  /// Ring of pair `pair`, south or north, pair from -kThetaWidth / 2 to length / 2 + kThetaWidth / 2.
  HOST_DEVICE ComplexDouble ring(Index pair, int south) const {
    double factor = 1;
    Index inside = pair;
    if (pair < 0) {
      inside = -1 - pair;
      factor = sign;
    }
    // Ring numbers go on through the equator.
    const Index j = south ? length - 1 - inside : inside;
    return factor * sign_out(j, sign) * sequence[sequence_place(j, length)];
  }
};

/// Sequences of the fine grid -> target rings. One thread: a pair of targets in the columns of one m.
template <class T>
struct InterpolateTargets {
  HOST_DEVICE static Index blocks(const ThetaTask& task, const ThetaColumns& columns) {
    return ThetaBlock::blocks(columns, task.targets.width, task.target_pairs);
  }
  HOST_DEVICE static void run(const ThetaTask& task, const ThetaColumns& columns, const ComplexDouble* sequence,
                              ComplexValue<T>* delta, Index index, int thread) {
    const ThetaBlock b = ThetaBlock::of(columns, task.targets.width, task.target_pairs, index, thread);
    if (b.item >= task.target_pairs || b.item < task.first_pair[b.k]) return;
    const PairPlace place = task.targets.of(b.k, b.item);
    double weights[kThetaWidth];
    for (int i = 0; i < kThetaWidth; ++i) weights[i] = task.weights[i * task.target_pairs + b.item];
    const Index first = task.first_point[b.item];
    for (Index w = b.first; w < b.last; ++w) {
      const FineColumn fine{sequence + (b.column + w) * task.fine_length, task.fine_length, task.sign[b.k]};
      for (int south = 0; south < 2; ++south) {
        const Index position = south ? place.south : place.north;
        if (position < 0) continue;
        ComplexDouble sum{0, 0};
        for (int i = 0; i < kThetaWidth; ++i) {
          const ComplexDouble x = fine.ring(first + i, south);
          sum = {std::fma(weights[i], x.re, sum.re), std::fma(weights[i], x.im, sum.im)};
        }
        delta[position + w] = {static_cast<T>(sum.re), static_cast<T>(sum.im)};
      }
    }
  }
};

/// The transpose: target rings -> sequences of the fine grid. One thread: a pair of the fine grid in the columns of one
/// m, which adds up the targets that reach it.
template <class T>
struct GatherTargets {
  HOST_DEVICE static Index blocks(const ThetaTask& task, const ThetaColumns& columns) {
    return ThetaBlock::blocks(columns, task.targets.width, task.fine_length / 2);
  }
  HOST_DEVICE static void add(const ComplexValue<T>* delta, Index position, double weight, ComplexDouble& sum) {
    if (position < 0) return;
    const ComplexValue<T> x = delta[position];
    sum = {std::fma(weight, static_cast<double>(x.re), sum.re), std::fma(weight, static_cast<double>(x.im), sum.im)};
  }
  HOST_DEVICE static void run(const ThetaTask& task, const ThetaColumns& columns, const ComplexValue<T>* delta,
                              ComplexDouble* sequence, Index index, int thread) {
    const Index length = task.fine_length;
    const ThetaBlock b = ThetaBlock::of(columns, task.targets.width, length / 2, index, thread);
    if (b.item >= length / 2) return;
    const double sign = task.sign[b.k];
    const Index first_pair = task.first_pair[b.k];
    for (Index w = b.first; w < b.last; ++w) {
      ComplexDouble north{0, 0};
      ComplexDouble south{0, 0};
      for (int e = task.entry_begin[b.item]; e < task.entry_begin[b.item + 1]; ++e) {
        const ThetaEntry entry = task.entries[e];
        if (entry.target < first_pair) continue;
        const PairPlace place = task.targets.of(b.k, entry.target);
        const double weight = entry.reach == ThetaReach::kPastPole ? sign * entry.weight : entry.weight;
        const bool swapped = entry.reach == ThetaReach::kPastEquator;
        const Index to_north = swapped ? place.south : place.north;
        const Index to_south = swapped ? place.north : place.south;
        add(delta, to_north < 0 ? to_north : to_north + w, weight, north);
        add(delta, to_south < 0 ? to_south : to_south + w, weight, south);
      }
      ComplexDouble* column = sequence + (b.column + w) * length;
      const Index j = b.item;
      column[sequence_place(j, length)] = sign_in(j, sign) * north;
      column[sequence_place(length - 1 - j, length)] = sign_in(length - 1 - j, sign) * south;
    }
  }
};

}  // namespace armilla::kernels
