#pragma once

#include <kernels/rings/chirps.hpp>
#include <kernels/rings/ring_chunk.hpp>
#include <kernels/rings/roots.hpp>

namespace armilla::kernels {

/// The columns of a block.
struct ColumnShared {
  RingColumn columns[kColumns];
};

/// The body of a kernel with a warp for each column of a block: determines the columns, then each thread calls
/// work(block, its column, thread). Work has a `task` with a chunk and a layout.
template <class Work>
struct ColumnBody {
  using Lane = Nothing;
  using Shared = ColumnShared;
  static constexpr int kThreads = kRingThreads;

  Work work;

  GridSize grid() const { return work.grid(); }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex index) const {
    const RingBlock block(index);
    RingColumn* columns = team.shared().columns;
    team.each(
        [&](Nothing&, int thread) { prepare_columns(work.task.chunk, work.task.layout, block, columns, thread); });
    team.barrier();
    team.each([&](Nothing&, int thread) { work(block, columns[thread / kLanes], thread); });
  }
};

template <class Work>
ColumnBody(Work) -> ColumnBody<Work>;

/// Values j of all lines of a column after its transforms, which give values q * part + j of the spectrum, out[q]. For
/// chirped lines they are multiplied by chirps and twiddles and pass through the butterfly of the four parts.
template <int kParts, class T>
HOST_DEVICE inline void combine_parts(const RingChunk<T>& chunk, const RingColumn& column, int j,
                                      ComplexNumber<T>* out) {
  static_assert(kParts == 1 || kParts == 4);
  const Index line = column.line + j;
  out[0] = load(chunk.values, line);
  if (kParts == 1 && chunk.chirps.chirp == nullptr) return;
  const Index table = column.chirp * chunk.chirps.stride + j;
  const ComplexNumber<T> f0 = load(chunk.chirps.chirp, table);
  out[0] = out[0] * f0;
  if constexpr (kParts == 4) {
    const ComplexNumber<T> w = load(chunk.chirps.twiddle, table);
    const ComplexNumber<T> f1 = f0 * w;
    const ComplexNumber<T> f2 = f1 * w;
    const ComplexNumber<T> f3 = f2 * w;
    const ComplexNumber<T> y1 = load(chunk.values, line + chunk.length) * f1;
    const ComplexNumber<T> y2 = load(chunk.values, line + 2 * chunk.length) * f2;
    const ComplexNumber<T> y3 = load(chunk.values, line + 3 * chunk.length) * f3;
    const ComplexNumber<T> even = out[0] + y2;
    const ComplexNumber<T> odd = y1 + y3;
    const ComplexNumber<T> p = out[0] - y2;
    const ComplexNumber<T> q = y1 - y3;
    out[0] = even + odd;
    out[1] = {p.re + q.im, p.im - q.re};
    out[2] = even - odd;
    out[3] = {p.re - q.im, p.im + q.re};
  }
}

/// One warp processes one line of a ChirpTask.
template <class T>
struct MakeChirps {
  static constexpr int kThreads = kRingThreads;

  ChirpTask<T> task;

  GridSize grid() const { return task.grid(); }
  HOST_DEVICE void operator()(BlockIndex index, int thread) const {
    const RingBlock block(index);
    const Index line = block.column(thread);
    if (line >= task.capacity) return;
    const Index part = line < task.count ? task.part[line] : 0;
    const int begin = block.tile * task.kTile;
    for (int i = begin + thread % kLanes; i < begin + task.kTile && i < task.length; i += kLanes) {
      const int j = i > task.length / 2 ? task.length - i : i;
      ComplexNumber<double> z{0, 0};
      if (j < part) {
        const ComplexNumber<double> c = chirp_value(j, part);
        const double scale = static_cast<double>(task.length);
        z = {c.re / scale, -c.im / scale};
        if (i == j) {
          store(task.chirp, line * task.stride + j, rounded<T>(c));
          store(task.twiddle, line * task.stride + j, rounded<T>(half_root(j, 2 * part)));
        }
      }
      store(task.values, line * task.length + i, rounded<T>(z));
    }
  }
};

/// Multiplies the lines of a column by its filter.
template <class T>
struct Multiply {
  ChirpedTask<T> task;

  GridSize grid() const { return task.multiply_grid(); }
  HOST_DEVICE void operator()(RingBlock block, const RingColumn& column, int thread) const {
    const RingChunk<T>& chunk = task.chunk;
    if (column.nphi == 0) return;
    const int begin = block.tile * task.kTile;
    for (int j = begin + thread % kLanes; j < begin + task.kTile && j < chunk.length; j += kLanes) {
      const ComplexNumber<T> filter = load(chunk.chirps.filter, column.chirp * chunk.length + j);
      const Index place = column.line + j;
      if (chunk.parts == 1) {
        store(chunk.values, place, load(chunk.values, place) * filter);
        continue;
      }
      ComplexNumber<T> z[4];
      for (int r = 0; r < 4; ++r) z[r] = load(chunk.values, place + r * Index{chunk.length}) * filter;
      for (int r = 0; r < 4; ++r) store(chunk.values, place + r * Index{chunk.length}, z[r]);
    }
  }
};

}  // namespace armilla::kernels
