#pragma once

#include <cmath>

#include <kernels/core/team.hpp>
#include <kernels/theta/theta_task.hpp>

namespace armilla::kernels {

/// Threads per block of these kernels, which do not synchronise (EachThread).
inline constexpr int kThetaThreads = 128;

/// Space that the kernels of a circle of rings need for the columns of an m, in values.
constexpr Index circle_work(Index width) { return 2 * width * (1 + kThetaThreads); }

HOST_DEVICE constexpr Index theta_tiles(Index count) { return (count + kThetaThreads - 1) / kThetaThreads; }

/// Position of ring j of `length` equidistant rings in the sequence whose FFT gives their cosine transform: even j
/// ascending, then odd j descending (Makhoul 1980).
HOST_DEVICE constexpr int sequence_place(int j, int length) { return (j & 1) == 0 ? j >> 1 : length - 1 - (j >> 1); }

/// For an odd column, rings copied into a sequence are negated if j is odd, those copied out of it if j is even.
HOST_DEVICE constexpr double sign_in(int j, double sign) { return (j & 1) == 0 ? 1.0 : sign; }
HOST_DEVICE constexpr double sign_out(int j, double sign) { return (j & 1) == 0 ? sign : 1.0; }

/// Local m and items (pairs of rings) of a block, which processes one m in all its columns of a chunk.
struct ThetaBlock {
  Index k;
  int item;           ///< of the thread
  Index first, last;  ///< w of the columns; `last` is past the end
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

/// Consecutive columns of a chunk, of one m or of several, for which a thread reads the tables of its item once.
struct ThetaTile {
  static constexpr int kColumns = 8;

  int item;      ///< of the thread
  int count;     ///< of columns; less than kColumns only at the end of a chunk
  Index column;  ///< the first one in the buffers
  int k, w;      ///< of the present column

  HOST_DEVICE static Index blocks(const ThetaColumns& columns, Index items) {
    return (columns.count() + kColumns - 1) / kColumns * theta_tiles(items);
  }
  HOST_DEVICE static ThetaTile of(const ThetaColumns& columns, Index width, Index items, Index index, int thread) {
    const Index tiles = theta_tiles(items);
    ThetaTile tile{};
    tile.item = static_cast<int>(index % tiles) * kThetaThreads + thread;
    tile.column = index / tiles * kColumns;
    const Index left = columns.count() - tile.column;
    tile.count = left < kColumns ? static_cast<int>(left) : kColumns;
    tile.k = static_cast<int>((columns.begin + tile.column) / width);
    tile.w = static_cast<int>((columns.begin + tile.column) % width);
    return tile;
  }
  /// To the next column.
  HOST_DEVICE void advance(Index width) {
    w = w + 1 == width ? 0 : w + 1;
    k += w == 0 ? 1 : 0;
  }
};

/// Source rings -> sequences. One thread: a pair of the source in the columns of one m.
struct SourceToSequence {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  KernelPointer<const ComplexDouble> source;
  KernelPointer<ComplexDouble> sequence;

  GridSize grid() const { return {ThetaBlock::blocks(columns, task.targets.width, task.source_length / 2)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index width = task.targets.width;
    const int length = task.source_length;
    const ThetaBlock b = ThetaBlock::of(columns, width, length / 2, block.x, thread);
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

/// The reverse of SourceToSequence: sequences -> all source rings.
struct SequenceToSource {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  KernelPointer<const ComplexDouble> sequence;
  KernelPointer<ComplexDouble> source;

  GridSize grid() const { return {ThetaBlock::blocks(columns, task.targets.width, task.source_length / 2)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index width = task.targets.width;
    const int length = task.source_length;
    const ThetaBlock b = ThetaBlock::of(columns, width, length / 2, block.x, thread);
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

/// Spectra of one length -> spectra of another. One thread: one value of one column.
struct ChangeSpectrum {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  SpectrumChange change;
  KernelPointer<const ComplexDouble> in;
  KernelPointer<ComplexDouble> out;

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
  /// t_k c_k + sign conj(t_{to - k}) c_{to - k}, if these coefficients exist.
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

  GridSize grid() const { return {columns.count() * theta_tiles(change.to)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index tiles = theta_tiles(change.to);
    const Index column = block.x / tiles;
    const int k = static_cast<int>(block.x % tiles) * kThetaThreads + thread;
    if (k >= change.to) return;
    const double sign = task.sign[(columns.begin + column) / task.targets.width];
    out[column * change.to + k] = number(change, in + column * change.from, sign, k);
  }
};

/// Sequences times weights times the column's sign. One thread: one value of one column.
struct WeighSequences {
  static constexpr int kThreads = kThetaThreads;

  ThetaTask task;
  ThetaColumns columns;
  KernelPointer<const double> weights;
  double gain;
  int length;
  KernelPointer<ComplexDouble> sequence;

  GridSize grid() const { return {columns.count() * theta_tiles(length)}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index tiles = theta_tiles(length);
    const Index column = block.x / tiles;
    const int i = static_cast<int>(block.x % tiles) * kThetaThreads + thread;
    if (i >= length) return;
    const double sign = task.sign[(columns.begin + column) / task.targets.width];
    ComplexDouble& number = sequence[column * length + i];
    number = sign * gain * weights[i] * number;
  }
};

}  // namespace armilla::kernels
