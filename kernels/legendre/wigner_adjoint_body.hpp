#pragma once

#include <kernels/core/accumulate.hpp>
#include <kernels/core/unrolled.hpp>
#include <kernels/legendre/wigner_block.hpp>

namespace armilla::kernels {

/// Adjoint: sums over the pairs of one block and m, for kMaps maps and all degrees, [degree][map][real value].
/// WignerReduction adds up the sums of all blocks.
template <class T, bool kSpin, int kMaps>
struct WignerAdjoint {
  static constexpr int kNumbers = kWignerNumbers<kSpin>;
  static constexpr int kDegreeNumbers = kMaps * kNumbers;
  /// Number of degrees of one part, so that each thread adds up one value of the part.
  static constexpr int kPart = kWignerThreads / kDegreeNumbers;
  static_assert(kWignerTile % kPart == 0 && kPart % 2 == 0);
  static constexpr int kThreads = kWignerThreads;

  struct Shared {
    WignerRow rows[kWignerTile];
    double shares[kWignerThreads][kWignerThreads + 1];  ///< [value of the part][thread], without bank conflicts
  };
  struct Lane {
    WignerThread<kSpin> thread;
    double rings[kWignerPairs][kMaps][2][kNumbers];  ///< [slot][Q re, Q im, U re, U im]
  };

  WignerCall call;
  KernelPointer<const T> delta;
  KernelPointer<double> partials;

  GridSize grid() const { return WignerBlock::grid(call); }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex index) const {
    const WignerBlock block = WignerBlock::of(call, index, kMaps);
    if (block.empty(call)) return;
    Shared& shared = team.shared();
    double* own_partials = partials + index.y * call.group_partials;
    team.each([&](Lane& lane, int thread) {
      start(block, thread, lane);
      clear(thread, shared);
    });
    for (Index first = 0; first < block.steps; first += kWignerTile) {
      team.each([&](Lane&, int thread) { stage(block, first, thread, shared); });
      team.barrier();
      for (int row = 0; row < kWignerTile && first + row < block.steps; row += kPart) {
        team.each([&](Lane& lane, int thread) { share_part(block, first + row, row, thread, shared, lane); });
        team.barrier();
        team.each([&](Lane&, int thread) { add_up(block, first + row, thread, shared, own_partials); });
        team.barrier();
      }
    }
  }

  /// Start of the degrees of a block of pairs in the partial sums of a call.
  HOST_DEVICE static Index partial_position(const WignerCall& call, Index k, Index block) {
    return call.task.partial_unit[k] - call.task.partial_unit[call.k_begin] + block * call.task.degrees(k);
  }

 private:
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

  HOST_DEVICE void start(const WignerBlock& block, int index, Lane& lane) const {
    start_thread(call, block, index, lane.thread);
    const bool odd = first_parity(call.task, block.k) != 0;
    unrolled<kWignerPairs>([&]<int j>() {
      PairPlace place{-1, -1};
      if (j < lane.thread.count) place = call.task.rings.of(block.k, lane.thread.first + j);
      unrolled<kMaps>([&]<int map>() {
        unrolled<kNumbers / 2>([&]<int component>() {
          const RingNumbers numbers =
              place.load(static_cast<const T*>(delta), component * call.task.maps + block.first_map + map);
          for (int part = 0; part < 2; ++part) {
            const double even = numbers.north[part] + numbers.south[part];
            const double uneven = numbers.north[part] - numbers.south[part];
            lane.rings[j][map][0][2 * component + part] = odd ? uneven : even;
            lane.rings[j][map][1][2 * component + part] = odd ? even : uneven;
          }
        });
      });
    });
  }

  // Threads without pairs, or whose functions do not contribute yet, leave these zeros.
  HOST_DEVICE static void clear(int index, Shared& shared) {
    for (int number = 0; number < kWignerThreads; ++number) shared.shares[number][index] = 0;
  }

  HOST_DEVICE void stage(const WignerBlock& block, Index first, int index, Shared& shared) const {
    if (first + index < block.steps) stage_row(call, block, first + index, shared.rows[index]);
  }

  // Degrees first .. first + kPart - 1, the first of them in row `row`.
  HOST_DEVICE void share_part(const WignerBlock& block, Index first, int row, int index, Shared& shared,
                              Lane& lane) const {
    if (lane.thread.count == 0) return;
    const Index end = first + kPart < block.steps ? first + kPart : block.steps;
    wigner_steps<kSpin>(shared.rows + row, first, end, lane.thread, Adder{shared, lane.rings, index});
  }

  // Thread `index` adds up value `index` of the part over the threads, in four chains.
  HOST_DEVICE void add_up(const WignerBlock& block, Index first, int index, const Shared& shared,
                          double* own_partials) const {
    const Index degree = first + index / kDegreeNumbers;
    if (index >= kPart * kDegreeNumbers || degree >= block.steps) return;
    double chain[4] = {};
    for (int i = 0; i < kWignerThreads; i += 4)
      for (int c = 0; c < 4; ++c) chain[c] += shared.shares[index][i + c];
    own_partials[partial_position(call, block.k, block.block) * kDegreeNumbers + first * kDegreeNumbers + index] =
        (chain[0] + chain[1]) + (chain[2] + chain[3]);
  }
};

/// Second pass of the adjoint: one thread adds up the blocks of pairs of one m at one degree for a group of maps, in
/// order, and writes alm or adds to it; degrees below the lowest are set to zero if alm is overwritten.
template <class T, bool kSpin, int kMaps>
struct WignerReduction {
  using Adjoint = WignerAdjoint<T, kSpin, kMaps>;
  static constexpr int kThreads = 128;

  WignerCall call;
  Accumulate accumulate;
  KernelPointer<const double> partials;
  KernelPointer<T> alm;

  HOST_DEVICE Index degree_blocks() const { return (call.task.lmax + kThreads) / kThreads; }
  GridSize grid() const { return {call.k_count * degree_blocks(), call.map_groups}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const WignerTask& task = call.task;
    const Index k = call.k_begin + block.x / degree_blocks();
    const Index l = task.m[k] + block.x % degree_blocks() * kThreads + thread;
    if (l > task.lmax) return;
    const bool overwrite = accumulate == Accumulate::kOverwrite;
    const Index lowest = task.lowest(k);
    const Index blocks = wigner_blocks(task.pair_end - task.first(k));
    if (!overwrite && (l < lowest || blocks == 0)) return;
    const double* own_partials = partials + block.y * call.group_partials;
    double sums[Adjoint::kDegreeNumbers] = {};
    if (l >= lowest)
      for (Index b = 0; b < blocks; ++b) {
        const double* share =
            own_partials + (Adjoint::partial_position(call, k, b) + l - lowest) * Adjoint::kDegreeNumbers;
        for (int i = 0; i < Adjoint::kDegreeNumbers; ++i) sums[i] += share[i];
      }
    const Index first_map = call.first_map + block.y * kMaps;
    for (int map = 0; map < kMaps; ++map)
      for (int component = 0; component < kWignerNumbers<kSpin> / 2; ++component) {
        T* a = alm + 2 * (task.coefficients(k, component, first_map + map) + l);
        for (int part = 0; part < 2; ++part) {
          const T value = static_cast<T>(sums[map * kWignerNumbers<kSpin> + 2 * component + part]);
          a[part] = overwrite ? value : a[part] + value;
        }
      }
  }
};

/// Calls run(body, name) for the kernel of wigner_partial_sums (wigner.hpp), and of wigner_add_partials.
template <class T, class Run>
void with_wigner_partial_sums(const WignerCall& call, int maps, KernelPointer<const T> delta,
                              KernelPointer<double> partials, const Run& run) {
  with_wigner_shape(call.task.spin, maps, [&]<bool kSpin, int kMaps>() {
    run(WignerAdjoint<T, kSpin, kMaps>{call, delta, partials}, "Wigner adjoint");
  });
}
template <class T, class Run>
void with_wigner_reduction(const WignerCall& call, int maps, KernelPointer<const double> partials,
                           Accumulate accumulate, KernelPointer<T> alm, const Run& run) {
  with_wigner_shape(call.task.spin, maps, [&]<bool kSpin, int kMaps>() {
    run(EachThread{WignerReduction<T, kSpin, kMaps>{call, accumulate, partials, alm}},
        "second pass of the Wigner adjoint");
  });
}

}  // namespace armilla::kernels
