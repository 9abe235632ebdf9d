#pragma once

#include <kernels/rings/fold.hpp>

namespace armilla::kernels {

/// Shared memory of a block of `fold`: its columns, and a tile of Delta, [m][column][ring]. In Delta the rings are
/// adjacent, in spectra the m; the tile transposes them. Its rows have odd length, so that neither access has bank
/// conflicts.
template <class T>
struct FoldShared {
  static constexpr int kRows = 2 * kColumns;

  RingColumn columns[kColumns];
  int waves[kColumns];
  ComplexNumber<T> tile[FoldTask<T, T>::kTile][kRows + 1];

  // A thread stays in one row, and at one m, from item to item.
  static_assert(kRingThreads % kRows == 0 && kRingThreads % FoldTask<T, T>::kTile == 0);
};

/// The values of both rings for one m in one complex spectrum: at m, and at -m.
template <class T>
struct FoldedPair {
  ComplexNumber<T> up, down;
};

template <class T>
HOST_DEVICE inline FoldedPair<T> fold_pair(ComplexNumber<T> a, ComplexNumber<T> b) {
  return {{a.re - b.im, a.im + b.re}, {a.re + b.im, b.re - a.im}};
}

template <class T>
HOST_DEVICE inline ComplexNumber<T> turned(const PhaseTables<T>& phases, int number, Index m, ComplexNumber<T> z) {
  return number < 0 ? z : z * phases.at(number, m);
}

/// The sums of `fold` (fold.hpp) for a tile of k and the columns of a block.
template <class T>
struct Fold {
  using Task = FoldTask<T, const T>;
  static constexpr int kTile = Task::kTile;
  static constexpr int kItems = kTile / kLanes;  ///< (column, k) of a thread
  static_assert(kTile * kColumns == kItems * kRingThreads);

  /// X_k and X_(n - k) of item i.
  struct Lane {
    ComplexNumber<T> here[kItems], mirror[kItems];
  };
  using Shared = FoldShared<T>;
  static constexpr int kThreads = kRingThreads;
  static constexpr int kResidentBlocks = 4;

  Task task;

  GridSize grid() const { return task.fold_grid(); }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex index) const {
    const RingBlock block(index);
    Shared& shared = team.shared();
    team.each([&](Lane& lane, int thread) { prepare(block, shared, lane, thread); });
    team.barrier();
    const int waves = waves_of(shared);
    for (int wave = 0; wave < waves; ++wave) {
      team.each([&](Lane&, int thread) { gather(block, wave, shared, thread); });
      team.barrier();
      team.each([&](Lane& lane, int thread) { add(block, wave, shared, lane, thread); });
      team.barrier();
    }
    team.each([&](Lane& lane, int thread) { finish(block, shared, lane, thread); });
  }

 private:
  HOST_DEVICE static int first_k(RingBlock block) { return block.tile * kTile; }

  HOST_DEVICE void prepare(RingBlock block, Shared& shared, Lane& lane, int thread) const {
    prepare_columns(task.chunk, task.layout, block, shared.columns, thread);
    if (thread < kColumns) shared.waves[thread] = waves_of(shared.columns[thread], first_k(block));
    for (int i = 0; i < kItems; ++i) lane.here[i] = lane.mirror[i] = {0, 0};
  }

  /// Waves of m that a column processes in a tile: m = a n + k in wave 2 a, m = (a + 1) n - k in wave 2 a + 1.
  HOST_DEVICE static int waves_of(const RingColumn& column, int k) {
    const int n = column.nphi;
    if (2 * k > n || k >= column.m_count) return 0;  // n = 0 has no m
    if (2 * (column.m_count - 1) < n) return 1;
    const int last = k + kTile - 1 < n / 2 ? k + kTile - 1 : n / 2;
    const int even = 2 * ((column.m_count - k + n - 1) / n) - 1;
    const int odd = 2 * ((column.m_count + last + n - 1) / n - 1);
    return even > odd ? even : odd;
  }

  HOST_DEVICE static int waves_of(const Shared& shared) {
    int most = 0;
    for (const int needed : shared.waves) most = needed > most ? needed : most;
    return most;
  }

  /// The m of index k of a column in a wave; -1 if there is none.
  HOST_DEVICE static Index m_of(const RingColumn& column, int k, int wave) {
    const Index n = column.nphi;
    if (2 * Index{k} > n) return -1;
    const bool back = wave % 2 == 1;
    if (back && (k == 0 || 2 * Index{k} == n)) return -1;  // belongs to the preceding wave
    const Index turns = wave / 2;
    const Index m = back ? (turns + 1) * n - k : turns * n + k;
    return m < column.m_count ? m : -1;
  }

  HOST_DEVICE void gather(RingBlock block, int wave, Shared& shared, int thread) const {
    constexpr int kRows = Shared::kRows;
    constexpr int kLoads = kTile * kRows / kRingThreads;
    const int row = thread % kRows;
    const RingColumn& column = shared.columns[row / 2];
    const Index place = column.row[row % 2];
    Index shift[kLoads];
    bool there[kLoads];
    for (int i = 0; i < kLoads; ++i) {
      const Index m = m_of(column, first_k(block) + (thread + i * kRingThreads) / kRows, wave);
      there[i] = m >= 0 && place >= 0;
      shift[i] = there[i] ? task.layout.m_shift[m] : 0;
    }
    ComplexNumber<T> z[kLoads];
    for (int i = 0; i < kLoads; ++i) {
      z[i] = {0, 0};
      if (there[i]) z[i] = load(task.delta, shift[i] + place);
    }
    for (int i = 0; i < kLoads; ++i) shared.tile[(thread + i * kRingThreads) / kRows][row] = z[i];
  }

  HOST_DEVICE void add(RingBlock block, int wave, const Shared& shared, Lane& lane, int thread) const {
    for (int i = 0; i < kItems; ++i) {
      const int k = (thread + i * kRingThreads) % kTile;
      const int c = (thread + i * kRingThreads) / kTile;
      const RingColumn& column = shared.columns[c];
      const Index m = m_of(column, first_k(block) + k, wave);
      if (m < 0) continue;
      ComplexNumber<T> a = shared.tile[k][2 * c];
      ComplexNumber<T> b = shared.tile[k][2 * c + 1];
      if (m == 0) {
        lane.here[i] = {a.re, b.re};
        continue;
      }
      a = turned(task.phases, column.phase[0], m, a);
      b = turned(task.phases, column.phase[1], m, b);
      const FoldedPair<T> folded = fold_pair(a, b);
      const bool back = wave % 2 == 1;
      lane.here[i] = lane.here[i] + (back ? folded.down : folded.up);
      lane.mirror[i] = lane.mirror[i] + (back ? folded.up : folded.down);
    }
  }

  HOST_DEVICE void finish(RingBlock block, const Shared& shared, const Lane& lane, int thread) const {
    PlacedNumber<T> here[kItems], mirror[kItems];
    for (int i = 0; i < kItems; ++i) {
      const int k = first_k(block) + (thread + i * kRingThreads) % kTile;
      const RingColumn& column = shared.columns[(thread + i * kRingThreads) / kTile];
      const int n = column.nphi;
      here[i] = mirror[i] = {-1, {0, 0}};
      if (n == 0 || 2 * Index{k} > n) continue;
      const bool self = k == 0 || 2 * Index{k} == n;
      const ComplexNumber<T> own = self ? lane.here[i] + lane.mirror[i] : lane.here[i];
      here[i] = placed_number(task.chunk, column, k, swapped(own));
      if (!self) mirror[i] = placed_number(task.chunk, column, n - k, swapped(lane.mirror[i]));
    }
    for (int i = 0; i < kItems; ++i) {
      if (here[i].place >= 0) store(task.chunk.values, here[i].place, here[i].z);
      if (mirror[i].place >= 0) store(task.chunk.values, mirror[i].place, mirror[i].z);
    }
    const int tiles = static_cast<int>(task.fold_grid().y);
    if (block.column(thread) < task.chunk.capacity)
      pad_lines(task.chunk, shared.columns[thread / kLanes], block.tile * kLanes + thread % kLanes, tiles * kLanes);
  }
};

}  // namespace armilla::kernels
