#pragma once

#include <kernels/core/accumulate.hpp>
#include <kernels/core/unrolled.hpp>
#include <kernels/legendre/wigner_recurrence.hpp>

namespace armilla::kernels {

/// Degrees that are staged through shared memory at once, one for each thread.
inline constexpr int kWignerTile = kWignerThreads;

/// Numbers of one degree and map: real and imaginary part of one coefficient, or of E and B.
template <bool kSpin>
inline constexpr int kWignerNumbers = kSpin ? 4 : 2;

/// Which own m, pairs of rings and maps a block has.
struct WignerBlock {
  Index k;
  Index block;  ///< number among the blocks of this m
  Index first;  ///< pair
  Index steps;  ///< degrees
  Index first_map;

  HOST_DEVICE static WignerBlock of(const WignerCall& call, Index index, Index group, int maps) {
    const Index k = call.k_begin + index / call.most_blocks;
    const Index block = index % call.most_blocks;
    return {k, block, call.task.first(k) + block * kWignerBlockPairs, call.task.degrees(k),
            call.first_map + group * maps};
  }
  HOST_DEVICE bool empty(const WignerCall& call) const { return first >= call.task.pair_end; }
};

template <bool kSpin>
HOST_DEVICE void start_thread(const WignerCall& call, const WignerBlock& block, int index,
                              WignerThread<kSpin>& thread) {
  thread.start(call.task, block.k, block.first + index * kWignerPairs, call.task.pair_end);
}

HOST_DEVICE inline void stage_row(const WignerCall& call, const WignerBlock& block, Index step, WignerRow& row) {
  const Index lowest = call.task.lowest(block.k);
  const math::RisingStep rising = math::rising_step(call.task.spin, call.task.m[block.k], lowest + step);
  row.slope = rising.slope;
  row.rise_plus = rising.rise_plus;
  row.back_plus = rising.back_plus;
  row.rise_minus = rising.rise_minus;
  row.back_minus = rising.back_minus;
}

/// Parity of the steps of slot 0, and of slot 1 the other (math::parity).
HOST_DEVICE inline int first_parity(const WignerTask& task, Index k) {
  return static_cast<int>((task.lowest(k) + task.m[k] + task.spin) & 1);
}

/// Synthesis: Delta of the pairs of one block and m for kMaps maps. Phases of a thread: start; for each tile stage,
/// barrier, run, barrier; finish.
template <class T, bool kSpin, int kMaps>
struct WignerSynthesis {
  static constexpr int kNumbers = kWignerNumbers<kSpin>;

  struct Shared {
    WignerRow rows[kWignerTile];
    alignas(16) double coefficients[kWignerTile][kMaps][kNumbers];
  };
  struct State {
    WignerThread<kSpin> thread;
    double sums[kWignerPairs][kMaps][2][kNumbers];  ///< [slot][Q re, Q im, U re, U im]
  };

  /// Adds one degree to the sums of a thread.
  struct Adder {
    const Shared& shared;
    double (&sums)[kWignerPairs][kMaps][2][kNumbers];

    template <bool kAll, int kSlot>
    HOST_DEVICE void add(int row, const WignerThread<kSpin>& thread) {
      double same[kWignerPairs];
      double mixed[kWignerPairs];
      for (int j = 0; j < kWignerPairs; ++j) thread.template functions<kAll>(j, same[j], mixed[j]);
      for (int map = 0; map < kMaps; ++map) {
        const double(&c)[kNumbers] = shared.coefficients[row][map];
        for (int j = 0; j < kWignerPairs; ++j) {
          double(&here)[kNumbers] = sums[j][map][kSlot];
          for (int i = 0; i < kNumbers; ++i) here[i] = std::fma(c[i], same[j], here[i]);
          if constexpr (kSpin) {
            double(&there)[kNumbers] = sums[j][map][1 - kSlot];
            there[0] = std::fma(-c[3], mixed[j], there[0]);
            there[1] = std::fma(c[2], mixed[j], there[1]);
            there[2] = std::fma(c[1], mixed[j], there[2]);
            there[3] = std::fma(-c[0], mixed[j], there[3]);
          }
        }
      }
    }
  };

  HOST_DEVICE static void start(const WignerCall& call, const WignerBlock& block, int index, State& state) {
    start_thread(call, block, index, state.thread);
    for (auto& pair : state.sums)
      for (auto& map : pair)
        for (auto& slot : map)
          for (double& number : slot) number = 0;
  }

  /// Thread `index` makes the row of step first + index and copies its coefficients.
  HOST_DEVICE static void stage(const WignerCall& call, const WignerBlock& block, Index first, const T* alm, int index,
                                Shared& shared) {
    const Index step = first + index;
    if (step >= block.steps) return;
    stage_row(call, block, step, shared.rows[index]);
    const Index l = call.task.lowest(block.k) + step;
    for (int map = 0; map < kMaps; ++map)
      for (int component = 0; component < kNumbers / 2; ++component) {
        const T* a = alm + 2 * (call.task.coefficients(block.k, component, block.first_map + map) + l);
        shared.coefficients[index][map][2 * component] = static_cast<double>(a[0]);
        shared.coefficients[index][map][2 * component + 1] = static_cast<double>(a[1]);
      }
  }

  HOST_DEVICE static void run(const WignerBlock& block, Index first, const Shared& shared, State& state) {
    if (state.thread.count == 0) return;
    const Index end = first + kWignerTile < block.steps ? first + kWignerTile : block.steps;
    wigner_steps<kSpin>(shared.rows, first, end, state.thread, Adder{shared, state.sums});
  }

  HOST_DEVICE static void finish(const WignerCall& call, const WignerBlock& block, const State& state, T* delta) {
    const bool odd = first_parity(call.task, block.k) != 0;
    unrolled<kWignerPairs>([&]<int j>() {
      if (j >= state.thread.count) return;
      const PairPlace place = call.task.rings.of(block.k, state.thread.first + j);
      unrolled<kMaps>([&]<int map>() {
        unrolled<kNumbers / 2>([&]<int component>() {
          RingNumbers rings;
          for (int part = 0; part < 2; ++part) {
            const double first = state.sums[j][map][0][2 * component + part];
            const double second = state.sums[j][map][1][2 * component + part];
            rings.north[part] = first + second;
            rings.south[part] = odd ? second - first : first - second;
          }
          place.store(delta, component * call.task.maps + block.first_map + map, rings);
        });
      });
    });
  }
};

/// Adjoint: sums over the pairs of one block and m, for kMaps maps and all degrees, [degree][map][number], a block's
/// share of what reduce_partials adds up. Phases of a thread: start; for each tile stage, barrier, and for each part of
/// it run, barrier, sum, barrier.
template <class T, bool kSpin, int kMaps>
struct WignerAdjoint {
  static constexpr int kNumbers = kWignerNumbers<kSpin>;
  static constexpr int kDegreeNumbers = kMaps * kNumbers;
  /// Degrees of one part: as many numbers as threads, each of which adds up one.
  static constexpr int kPart = kWignerThreads / kDegreeNumbers;
  static_assert(kWignerTile % kPart == 0 && kPart % 2 == 0);

  struct Shared {
    WignerRow rows[kWignerTile];
    double shares[kWignerThreads][kWignerThreads + 1];  ///< [number of the part][thread], no two in one bank
  };
  struct State {
    WignerThread<kSpin> thread;
    double rings[kWignerPairs][kMaps][2][kNumbers];  ///< [slot][Q re, Q im, U re, U im]
  };

  struct Adder {
    Shared& shared;
    const double (&rings)[kWignerPairs][kMaps][2][kNumbers];
    int index;

    template <bool kAll, int kSlot>
    HOST_DEVICE void add(int row, const WignerThread<kSpin>& thread) {
      double same[kWignerPairs];
      double mixed[kWignerPairs];
      for (int j = 0; j < kWignerPairs; ++j) thread.template functions<kAll>(j, same[j], mixed[j]);
      for (int map = 0; map < kMaps; ++map) {
        double share[kNumbers] = {};
        for (int j = 0; j < kWignerPairs; ++j) {
          const double(&here)[kNumbers] = rings[j][map][kSlot];
          for (int i = 0; i < kNumbers; ++i) share[i] = std::fma(same[j], here[i], share[i]);
          if constexpr (kSpin) {
            const double(&there)[kNumbers] = rings[j][map][1 - kSlot];
            share[0] = std::fma(-mixed[j], there[3], share[0]);
            share[1] = std::fma(mixed[j], there[2], share[1]);
            share[2] = std::fma(mixed[j], there[1], share[2]);
            share[3] = std::fma(-mixed[j], there[0], share[3]);
          }
        }
        for (int i = 0; i < kNumbers; ++i) shared.shares[row * kDegreeNumbers + map * kNumbers + i][index] = share[i];
      }
    }
  };

  HOST_DEVICE static void start(const WignerCall& call, const WignerBlock& block, const T* delta, int index,
                                State& state) {
    start_thread(call, block, index, state.thread);
    const bool odd = first_parity(call.task, block.k) != 0;
    unrolled<kWignerPairs>([&]<int j>() {
      PairPlace place{-1, -1};
      if (j < state.thread.count) place = call.task.rings.of(block.k, state.thread.first + j);
      unrolled<kMaps>([&]<int map>() {
        unrolled<kNumbers / 2>([&]<int component>() {
          const RingNumbers numbers = place.load(delta, component * call.task.maps + block.first_map + map);
          for (int part = 0; part < 2; ++part) {
            const double even = numbers.north[part] + numbers.south[part];
            const double uneven = numbers.north[part] - numbers.south[part];
            state.rings[j][map][0][2 * component + part] = odd ? uneven : even;
            state.rings[j][map][1][2 * component + part] = odd ? even : uneven;
          }
        });
      });
    });
  }

  /// Threads without pairs, or whose functions do not count yet, leave these zeros.
  HOST_DEVICE static void clear(int index, Shared& shared) {
    for (int number = 0; number < kWignerThreads; ++number) shared.shares[number][index] = 0;
  }

  HOST_DEVICE static void stage(const WignerCall& call, const WignerBlock& block, Index first, int index,
                                Shared& shared) {
    if (first + index < block.steps) stage_row(call, block, first + index, shared.rows[index]);
  }

  /// Degrees first .. first + kPart - 1, the first of them in row `row`.
  HOST_DEVICE static void run(const WignerBlock& block, Index first, int row, int index, Shared& shared, State& state) {
    if (state.thread.count == 0) return;
    const Index end = first + kPart < block.steps ? first + kPart : block.steps;
    wigner_steps<kSpin>(shared.rows + row, first, end, state.thread, Adder{shared, state.rings, index});
  }

  /// Thread `index` adds up number `index` of the part over the threads, in four chains.
  HOST_DEVICE static void sum(const WignerCall& call, const WignerBlock& block, Index first, int index,
                              const Shared& shared, double* partials) {
    const Index degree = first + index / kDegreeNumbers;
    if (index >= kPart * kDegreeNumbers || degree >= block.steps) return;
    double chain[4] = {};
    for (int i = 0; i < kWignerThreads; i += 4)
      for (int c = 0; c < 4; ++c) chain[c] += shared.shares[index][i + c];
    partials[partial_position(call, block.k, block.block) * kDegreeNumbers + first * kDegreeNumbers + index] =
        (chain[0] + chain[1]) + (chain[2] + chain[3]);
  }

  /// Where the degrees of a block of pairs begin among the partial sums of a call.
  HOST_DEVICE static Index partial_position(const WignerCall& call, Index k, Index block) {
    return call.task.partial_unit[k] - call.task.partial_unit[call.k_begin] + block * call.task.degrees(k);
  }
};

/// Degrees that one block of the second pass of the adjoint takes.
inline constexpr int kWignerReduceThreads = 128;

/// Second pass of the adjoint: one thread adds up the blocks of pairs of own m number k at degree l for a group of
/// maps, in their order, and writes or adds to alm; degrees below the lowest become zero where alm is overwritten.
template <class T, bool kSpin, int kMaps>
HOST_DEVICE void reduce_partials(const WignerCall& call, Accumulate accumulate, Index k, Index l, Index group,
                                 const double* partials, T* alm) {
  using Adjoint = WignerAdjoint<T, kSpin, kMaps>;
  const WignerTask& task = call.task;
  if (l > task.lmax) return;
  const bool overwrite = accumulate == Accumulate::kOverwrite;
  const Index lowest = task.lowest(k);
  const Index blocks = wigner_blocks(task.pair_end - task.first(k));
  if (!overwrite && (l < lowest || blocks == 0)) return;
  const Index first_map = call.first_map + group * kMaps;
  partials += group * call.group_partials;
  double sums[Adjoint::kDegreeNumbers] = {};
  if (l >= lowest)
    for (Index block = 0; block < blocks; ++block) {
      const double* share =
          partials + (Adjoint::partial_position(call, k, block) + l - lowest) * Adjoint::kDegreeNumbers;
      for (int i = 0; i < Adjoint::kDegreeNumbers; ++i) sums[i] += share[i];
    }
  for (int map = 0; map < kMaps; ++map)
    for (int component = 0; component < kWignerNumbers<kSpin> / 2; ++component) {
      T* a = alm + 2 * (task.coefficients(k, component, first_map + map) + l);
      for (int part = 0; part < 2; ++part) {
        const T value = static_cast<T>(sums[map * kWignerNumbers<kSpin> + 2 * component + part]);
        a[part] = overwrite ? value : a[part] + value;
      }
    }
}

/// Which own m and degree a thread of the second pass has, of a launch of k_count * blocks(task) blocks.
struct WignerDegree {
  Index k;
  Index l;

  HOST_DEVICE static Index blocks(const WignerTask& task) {
    return (task.lmax + kWignerReduceThreads) / kWignerReduceThreads;
  }
  HOST_DEVICE static WignerDegree of(const WignerCall& call, Index index, int thread) {
    const Index k = call.k_begin + index / blocks(call.task);
    return {k, call.task.m[k] + index % blocks(call.task) * kWignerReduceThreads + thread};
  }
};

}  // namespace armilla::kernels
