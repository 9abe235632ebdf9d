#pragma once

#include <kernels/core/unrolled.hpp>
#include <kernels/legendre/wigner_block.hpp>

namespace armilla::kernels {

/// Synthesis: Delta of the pairs of one block and m for kMaps maps.
template <class T, bool kSpin, int kMaps>
struct WignerSynthesis {
  static constexpr int kNumbers = kWignerNumbers<kSpin>;
  static constexpr int kThreads = kWignerThreads;

  struct Shared {
    WignerRow rows[kWignerTile];
    alignas(16) double coefficients[kWignerTile][kMaps][kNumbers];
  };
  struct Lane {
    WignerThread<kSpin> thread;
    double sums[kWignerPairs][kMaps][2][kNumbers];  ///< [slot][Q re, Q im, U re, U im]
  };

  WignerCall call;
  KernelPointer<const T> alm;
  KernelPointer<T> delta;

  GridSize grid() const { return WignerBlock::grid(call); }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex index) const {
    const WignerBlock block = WignerBlock::of(call, index, kMaps);
    if (block.empty(call)) return;
    Shared& shared = team.shared();
    team.each([&](Lane& lane, int thread) { start(block, thread, lane); });
    for (Index first = 0; first < block.steps; first += kWignerTile) {
      team.each([&](Lane&, int thread) { stage(block, first, thread, shared); });
      team.barrier();
      team.each([&](Lane& lane, int) { add_tile(block, first, shared, lane); });
      team.barrier();
    }
    team.each([&](Lane& lane, int) { finish(block, lane); });
  }

 private:
  // Adds one degree to the sums of a thread.
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

  HOST_DEVICE void start(const WignerBlock& block, int index, Lane& lane) const {
    start_thread(call, block, index, lane.thread);
    for (auto& pair : lane.sums)
      for (auto& map : pair)
        for (auto& slot : map)
          for (double& number : slot) number = 0;
  }

  // Thread `index` computes the row of step first + index and copies its coefficients.
  HOST_DEVICE void stage(const WignerBlock& block, Index first, int index, Shared& shared) const {
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

  HOST_DEVICE void add_tile(const WignerBlock& block, Index first, const Shared& shared, Lane& lane) const {
    if (lane.thread.count == 0) return;
    const Index end = first + kWignerTile < block.steps ? first + kWignerTile : block.steps;
    wigner_steps<kSpin>(shared.rows, first, end, lane.thread, Adder{shared, lane.sums});
  }

  HOST_DEVICE void finish(const WignerBlock& block, const Lane& lane) const {
    const bool odd = first_parity(call.task, block.k) != 0;
    unrolled<kWignerPairs>([&]<int j>() {
      if (j >= lane.thread.count) return;
      const PairPlace place = call.task.rings.of(block.k, lane.thread.first + j);
      unrolled<kMaps>([&]<int map>() {
        unrolled<kNumbers / 2>([&]<int component>() {
          RingNumbers rings;
          for (int part = 0; part < 2; ++part) {
            const double first = lane.sums[j][map][0][2 * component + part];
            const double second = lane.sums[j][map][1][2 * component + part];
            rings.north[part] = first + second;
            rings.south[part] = odd ? second - first : first - second;
          }
          place.store(static_cast<T*>(delta), component * call.task.maps + block.first_map + map, rings);
        });
      });
    });
  }
};

/// Calls run(body, name) for the kernel of wigner_synthesis (wigner.hpp).
template <class T, class Run>
void with_wigner_synthesis(const WignerCall& call, int maps, KernelPointer<const T> alm, KernelPointer<T> delta,
                           const Run& run) {
  with_wigner_shape(call.task.spin, maps, [&]<bool kSpin, int kMaps>() {
    run(WignerSynthesis<T, kSpin, kMaps>{call, alm, delta}, "Wigner synthesis");
  });
}

}  // namespace armilla::kernels
