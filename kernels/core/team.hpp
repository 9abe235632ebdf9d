#pragma once

#include <armilla/core/error.hpp>
#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <cstddef>
#include <string>

#include <kernels/core/stream.hpp>

namespace armilla::kernels {

using core::Index;

/// Index of a block in the grid of a launch.
struct BlockIndex {
  Index x;
  Index y;
};

/// Blocks of a launch: x < 2^31, y < 2^16.
struct GridSize {
  Index x;
  Index y = 1;
};

/// Throws InternalError for a launch that CUDA would reject. A launch without blocks is skipped.
inline void check_grid(GridSize grid, int threads) {
  constexpr Index kMaxX = (Index{1} << 31) - 1;
  constexpr Index kMaxY = 65535;
  constexpr int kMaxThreads = 1024;
  if (grid.x == 0 || grid.y == 0) return;
  if (grid.x < 0 || grid.x > kMaxX || grid.y < 0 || grid.y > kMaxY || threads < 1 || threads > kMaxThreads)
    throw core::InternalError("cannot launch a kernel with " + std::to_string(grid.x) + " by " +
                              std::to_string(grid.y) + " blocks of " + std::to_string(threads) + " threads");
}

/// Shared memory of a block that is available on all devices without an explicit request.
inline constexpr std::size_t kMostShared = std::size_t{48} << 10;

/// Returns the grid of a body (launch_team). Throws like check_grid.
template <class Body>
GridSize checked_grid(const Body& body) {
  static_assert(sizeof(typename Body::Shared) <= kMostShared);
  const GridSize grid = body.grid();
  check_grid(grid, Body::kThreads);
  return grid;
}

/// For threads without state between barriers, and for blocks without shared memory.
struct Nothing {};

/// Runs a kernel: all blocks of `body`, in stream order. `what` names the kernel in errors. Throws ResourceError if
/// CUDA rejects the launch. core/team_kernel.cuh defines it for devices, core/emulated_launch.hpp for the emulated
/// device.
///
/// A body is a struct that is copied to the device, with
/// - Lane, the state of a thread between barriers, and Shared, the shared memory of a block, at most kMostShared,
/// - kThreads, the number of threads of a block,
/// - kResidentBlocks, optional: the number of blocks of a multiprocessor that must have enough registers,
/// - grid(), the GridSize of a launch,
/// - run(team, BlockIndex) const: all phases of a block and the barriers between them, for both DeviceTeam and
/// HostTeam. A block may return early if all of its threads do.
template <class Body>
void launch_team(const Body& body, const char* what, StreamHandle stream);

/// The body of a kernel whose threads do not synchronise: each calls body(block, thread).
template <class Body>
struct EachThread {
  using Lane = Nothing;
  using Shared = Nothing;
  static constexpr int kThreads = Body::kThreads;

  Body body;

  GridSize grid() const { return body.grid(); }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    team.each([&](Nothing&, int thread) { body(block, thread); });
  }
};

template <class Body>
EachThread(Body) -> EachThread<Body>;

}  // namespace armilla::kernels
