#pragma once

#include <kernels/core/host_team.hpp>
#include <kernels/core/team.hpp>

namespace armilla::kernels {

/// Runs one block on the host. Its threads start without state from the previous block.
template <class Body, class Block>
void run_block(const Body& body, const Block& block, int threads, HostOrder order, int rotation = 0) {
  HostTeam<typename Body::Lane, typename Body::Shared> team(threads, order, rotation);
  body.run(team, block);
}

/// Runs all blocks of a body (launch_team) on the host.
template <class Body>
void run_blocks(const Body& body, HostOrder order = HostOrder::kAscending) {
  const GridSize grid = body.grid();
  for_all(order, grid.x * grid.y, [&](Index number) {
    run_block(body, BlockIndex{number % grid.x, number / grid.x}, Body::kThreads, order);
  });
}

}  // namespace armilla::kernels
