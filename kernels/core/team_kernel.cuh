#pragma once

#include <cstddef>

#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/core/team.hpp>

namespace armilla::kernels {

/// Blocks of a body that a multiprocessor has registers for, at least; 0 leaves that to the compiler.
template <class Body>
constexpr int resident_blocks() {
  if constexpr (requires { Body::kResidentBlocks; })
    return Body::kResidentBlocks;
  else
    return 0;
}

/// Whether a body needs more shared memory than kernels have without asking, 48 KiB: it is asked for at the launch.
template <class Body>
inline constexpr bool kLargeShared = sizeof(typename Body::Shared) > (std::size_t{48} << 10);

/// Shared memory that a block may have at the most, by compute capability 8.0; 9.0 has more.
inline constexpr std::size_t kMostShared = std::size_t{163} << 10;

/// The kernel of all bodies (launch_team).
template <class Body>
__global__ void __launch_bounds__(Body::kThreads, resident_blocks<Body>())
    team_kernel(const __grid_constant__ Body body) {
  using Shared = typename Body::Shared;
  const BlockIndex block{static_cast<Index>(blockIdx.x), static_cast<Index>(blockIdx.y)};
  if constexpr (kLargeShared<Body>) {
    extern __shared__ uint4 memory[];
    static_assert(alignof(Shared) <= alignof(uint4));
    DeviceTeam<typename Body::Lane, Shared> team(*reinterpret_cast<Shared*>(memory));
    body.run(team, block);
  } else {
    __shared__ Shared shared;
    DeviceTeam<typename Body::Lane, Shared> team(shared);
    body.run(team, block);
  }
}

template <class Body>
void launch_team(const Body& body, const char* what, StreamHandle stream) {
  static_assert(sizeof(typename Body::Shared) <= kMostShared);
  const GridSize grid = body.grid();
  check_grid(grid, Body::kThreads);
  if (grid.x == 0 || grid.y == 0) return;
  std::size_t large = 0;
  if constexpr (kLargeShared<Body>) {
    large = sizeof(typename Body::Shared);
    check(cudaFuncSetAttribute(team_kernel<Body>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(large)),
          what);
  }
  team_kernel<Body>
      <<<dim3(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y)), Body::kThreads, large, stream>>>(body);
  check_launch(what);
}

}  // namespace armilla::kernels
