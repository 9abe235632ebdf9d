#pragma once

#include <kernels/core/host_blocks.hpp>
#include <kernels/legendre/block_pairs.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::kernels {

/// Calls run(work) for the blocks of pairs of a stage, one after the other.
template <class Run>
void for_each_pair_block(const PairArguments& arguments, HostOrder order, const Run& run) {
  for_all(order, Index{block_count(arguments.stage, arguments.groups)},
          [&](Index number) { run(BlockWork::of(arguments.stage, arguments.groups, number)); });
}

/// Runs the body on one of these blocks. `rotation` rotates the warp indices (rotated_warp).
template <class Body>
void run_pair_block(const PairArguments& arguments, const BlockWork& work, HostOrder order, int rotation) {
  run_block(Body{arguments.stage, arguments.delta}, work, arguments.stage.pair_blocks.threads, order, rotation);
}

}  // namespace armilla::kernels
