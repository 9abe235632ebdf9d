#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

namespace armilla::kernels {

using core::Index;

/// Lanes of a warp, which run in lockstep.
inline constexpr int kWarp = 32;

/// The index assigned by a team to warp `warp` of `warps`, 0 <= rotation < warps. A multiprocessor has a scheduler for
/// every fourth warp. If warps with a certain index have the most work, blocks with different rotations distribute it
/// over all schedulers.
HOST_DEVICE constexpr int rotated_warp(int warp, int rotation, int warps) {
  const int index = warp + rotation;
  return index < warps ? index : index - warps;
}

/// Two values that are loaded and stored together.
struct alignas(16) Two {
  double a, b;
};

/// Source of a copy to shared memory; if it does not exist, zeros are copied.
template <class Value>
struct CopySource {
  const Value* from;
  bool exists;
};

}  // namespace armilla::kernels
