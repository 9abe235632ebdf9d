#pragma once

#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/core/team.hpp>

namespace armilla::kernels {

/// Minimum number of blocks of a body for which a multiprocessor must have registers; 0 if the compiler decides.
template <class Body>
constexpr int resident_blocks() {
  if constexpr (requires { Body::kResidentBlocks; })
    return Body::kResidentBlocks;
  else
    return 0;
}

/// The kernel of all bodies (launch_team).
template <class Body>
__global__ void __launch_bounds__(Body::kThreads, resident_blocks<Body>())
    team_kernel(const __grid_constant__ Body body) {
  using Shared = typename Body::Shared;
  const BlockIndex block{static_cast<Index>(blockIdx.x), static_cast<Index>(blockIdx.y)};
  __shared__ Shared shared;
  DeviceTeam<typename Body::Lane, Shared> team(shared);
  body.run(team, block);
}

template <class Body>
void launch_team(const Body& body, const char* what, StreamHandle stream) {
  const GridSize grid = checked_grid(body);
  if (grid.x == 0 || grid.y == 0) return;
  team_kernel<Body>
      <<<dim3(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y)), Body::kThreads, 0, stream>>>(body);
  check_launch(what);
}

}  // namespace armilla::kernels
