#pragma once

#include <kernels/core/unrolled.hpp>
#include <kernels/rings/chirps_body.hpp>
#include <kernels/rings/fold.hpp>

namespace armilla::kernels {

/// Delta of both rings from x = X_m and y = X_-m.
template <class T>
HOST_DEVICE inline void unfold_pair(ComplexNumber<T> x, ComplexNumber<T> y, ComplexNumber<T>* sides) {
  sides[0] = {(x.re + y.re) / 2, (x.im - y.im) / 2};
  sides[1] = {(x.im + y.im) / 2, (y.re - x.re) / 2};
}

/// Delta_m of one existing ring of a column, from its part of the spectrum.
template <class T>
HOST_DEVICE inline ComplexNumber<T> delta_of(const PhaseTables<T>& phases, const double* factors,
                                             const RingColumn& column, int side, Index m, ComplexNumber<T> z) {
  const T factor = factors == nullptr ? T(1) : static_cast<T>(factors[column.slot[side]]);
  z = {z.re * factor, z.im * factor};
  return column.phase[side] < 0 ? z : z * conj(phases.at(column.phase[side], m));
}

/// Shared memory of a block of `unfold`: its columns, and a tile of Delta, [back][j][column][ring], like that of
/// FoldShared.
template <class T>
struct UnfoldShared {
  static constexpr int kRows = 2 * kColumns;
  static constexpr int kTile = kUnfoldTile;

  RingColumn columns[kColumns];
  int rounds[kColumns];
  ComplexNumber<T> tile[2][kTile][kRows + 1];

  // A thread has one column and one j of the tile, and stays in one row from store to store.
  static_assert(kTile == kLanes && kRingThreads % kRows == 0);
};

/// Delta for a tile of j, 0 <= 2 j <= part, of the columns of a block: for all m that are t part + j (forward) or (t +
/// 1) part - j (back), in one round for each t.
///
/// These m need only the lines at j and part - j: with four parts, X_k for k = q part + j uses all lines at j, and n -
/// k = (3 - q) part + (part - j). Each value of the lines is therefore loaded once, and each chirp and twiddle once for
/// four of them. The number of butterflies is that of a separate pass over the lines. This saves that
/// pass: one load, one store, and a second load for each m past n / 2. In a tile of consecutive m, each m would need
/// one output of two butterflies, and eight loads of line values, four times those of the separate pass and its
/// spectrum.
template <class T, int kParts>
struct Unfold {
  using Task = FoldTask<T, T>;
  using Shared = UnfoldShared<T>;
  static constexpr int kTile = kUnfoldTile;
  static constexpr int kThreads = kRingThreads;
  /// With four parts, the 90 registers needed would allow only two blocks.
  static constexpr int kResidentBlocks = 3;

  /// X_k and X_(n - k), k = q part + j.
  struct Lane {
    ComplexNumber<T> here[kParts], mirror[kParts];
  };

  Task task;

  GridSize grid() const { return task.unfold_grid(); }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex index) const {
    const RingBlock block(index);
    const int first = block.tile * kTile;
    Shared& shared = team.shared();
    team.each([&](Lane&, int thread) {
      prepare_columns(task.chunk, task.layout, block, shared.columns, thread);
      if (thread < kColumns) shared.rounds[thread] = rounds_of(shared.columns[thread], first);
    });
    team.barrier();
    int rounds = 0;
    for (const int needed : shared.rounds) rounds = needed > rounds ? needed : rounds;
    team.each([&](Lane& lane, int thread) { read(shared.columns[thread / kLanes], first + thread % kLanes, lane); });
    for (int begin = 0; begin < rounds; begin += kParts)
      unrolled<kParts>([&]<int q>() {
        const int round = begin + q;
        if (round >= rounds) return;
        team.each([&](Lane& lane, int thread) { turn<q>(first, round, lane, shared, thread); });
        team.barrier();
        team.each([&](Lane&, int thread) { scatter(first, round, shared, thread); });
        team.barrier();
      });
  }

 private:
  HOST_DEVICE static int rounds_of(const RingColumn& column, int first) {
    if (2 * first > column.part || first >= column.m_count) return 0;
    return (column.m_count - first + column.part - 1) / column.part;
  }

  /// The m of a column at j in a round, -1 if there is none.
  HOST_DEVICE static int m_of(const RingColumn& column, int j, int round, bool back) {
    const int part = column.part;
    if (2 * j > part || (back && (j == 0 || 2 * j == part))) return -1;  // its m is in the forward half
    const int m = back ? (round + 1) * part - j : round * part + j;
    return m < column.m_count ? m : -1;
  }

  HOST_DEVICE void read(const RingColumn& column, int j, Lane& lane) const {
    if (m_of(column, j, 0, false) < 0) return;
    combine_parts<kParts>(task.chunk, column, j, lane.here);
    ComplexNumber<T> other[kParts];
    combine_parts<kParts>(task.chunk, column, j == 0 ? 0 : column.part - j, other);
    unrolled<kParts>([&]<int q>() { lane.mirror[q] = j == 0 ? other[(kParts - q) % kParts] : other[kParts - 1 - q]; });
  }

  /// q = round % kParts.
  template <int q>
  HOST_DEVICE void turn(int first, int round, const Lane& lane, Shared& shared, int thread) const {
    const int c = thread / kLanes;
    const int j = thread % kLanes;
    const RingColumn& column = shared.columns[c];
    unrolled<2>([&]<int back>() {
      const int m = m_of(column, first + j, round, back == 1);
      if (m < 0) return;
      constexpr int other = kParts - 1 - q;
      ComplexNumber<T> sides[2];
      if constexpr (back == 0)
        unfold_pair(lane.here[q], lane.mirror[q], sides);
      else
        unfold_pair(lane.mirror[other], lane.here[other], sides);
      for (int side = 0; side < 2; ++side)
        if (column.slot[side] >= 0)
          shared.tile[back][j][2 * c + side] = delta_of(task.phases, task.factor, column, side, m, sides[side]);
    });
  }

  /// A thread of row r processes the j whose m is r modulo the tile. Columns of different parts have different m at one
  /// j; this way their threads access the same m, where their rings are adjacent.
  HOST_DEVICE void scatter(int first, int round, const Shared& shared, int thread) const {
    constexpr int kRows = Shared::kRows;
    constexpr int kStores = 2 * kTile * kRows / kRingThreads;
    const int row = thread % kRows;
    const RingColumn& column = shared.columns[row / 2];
    const Index place = column.row[row % 2];
    if (place < 0) return;
    Index to[kStores];
    const ComplexNumber<T>* from[kStores];
    for (int i = 0; i < kStores; ++i) {
      const int number = (thread + i * kRingThreads) / kRows;
      const bool back = number >= kTile;
      const int j = (back ? (round + 1) * column.part - number : number - round * column.part) & (kTile - 1);
      const int m = m_of(column, first + j, round, back);
      to[i] = m < 0 ? -1 : task.layout.m_shift[m] + place;
      from[i] = &shared.tile[back ? 1 : 0][j][row];
    }
    for (int i = 0; i < kStores; ++i)
      if (to[i] >= 0) store(task.delta, to[i], *from[i]);
  }
};

}  // namespace armilla::kernels
