#pragma once

#include <kernels/core/host_grid.hpp>
#include <kernels/legendre/wigner_body.hpp>

namespace armilla::kernels {

// What the kernels of wigner.hpp do, block by block on the host: for tests of their arithmetic, and of their indices.

/// wigner_synthesis on the host; all pointers are the host's.
template <class T>
void host_wigner_synthesis(const WignerCall& call, int maps, const T* alm, T* delta) {
  with_wigner_shape(call.task.spin, maps, [&]<bool kSpin, int kMaps>() {
    using Body = WignerSynthesis<T, kSpin, kMaps>;
    for (Index b = 0; b < call.k_count * call.most_blocks * call.map_groups; ++b) {
      const WignerBlock block = WignerBlock::of(call, b / call.map_groups, b % call.map_groups, kMaps);
      if (block.empty(call)) continue;
      HostBlock<typename Body::State, typename Body::Shared> threads(kWignerThreads);
      threads.run([&](auto& state, int index) { Body::start(call, block, index, state); });
      for (Index first = 0; first < block.steps; first += kWignerTile) {
        threads.run([&](auto&, int index) { Body::stage(call, block, first, alm, index, threads.shared()); });
        threads.run([&](auto& state, int) { Body::run(block, first, threads.shared(), state); });
      }
      threads.run([&](auto& state, int) { Body::finish(call, block, state, delta); });
    }
  });
}

/// wigner_adjoint on the host, likewise.
template <class T>
void host_wigner_adjoint(const WignerCall& call, int maps, const T* delta, double* partials, Accumulate accumulate,
                         T* alm) {
  with_wigner_shape(call.task.spin, maps, [&]<bool kSpin, int kMaps>() {
    using Body = WignerAdjoint<T, kSpin, kMaps>;
    for (Index b = 0; b < call.k_count * call.most_blocks * call.map_groups; ++b) {
      const WignerBlock block = WignerBlock::of(call, b / call.map_groups, b % call.map_groups, kMaps);
      if (block.empty(call)) continue;
      HostBlock<typename Body::State, typename Body::Shared> threads(kWignerThreads);
      auto& shared = threads.shared();
      double* own_partials = partials + b % call.map_groups * call.group_partials;
      threads.run([&](auto& state, int index) {
        Body::start(call, block, delta, index, state);
        Body::clear(index, shared);
      });
      for (Index first = 0; first < block.steps; first += kWignerTile) {
        threads.run([&](auto&, int index) { Body::stage(call, block, first, index, shared); });
        for (int row = 0; row < kWignerTile && first + row < block.steps; row += Body::kPart) {
          threads.run([&](auto& state, int index) { Body::run(block, first + row, row, index, shared, state); });
          threads.run([&](auto&, int index) { Body::sum(call, block, first + row, index, shared, own_partials); });
        }
      }
    }
    for (Index b = 0; b < call.k_count * WignerDegree::blocks(call.task) * call.map_groups; ++b)
      for (int index = 0; index < kWignerReduceThreads; ++index) {
        const auto [k, l] = WignerDegree::of(call, b / call.map_groups, index);
        reduce_partials<T, kSpin, kMaps>(call, accumulate, k, l, b % call.map_groups, partials, alm);
      }
  });
}

}  // namespace armilla::kernels
