#pragma once

#include <kernels/rings/ring_chunk.hpp>

namespace armilla::kernels {

/// The columns of a block.
struct ColumnShared {
  RingColumn columns[kColumns];
};

/// The body of a kernel with a warp for each column of a block: determines the columns, then each thread calls
/// work(block, its column, thread). Work has a `task` with a chunk and a layout.
template <class Work>
struct ColumnBody {
  using Lane = Nothing;
  using Shared = ColumnShared;
  static constexpr int kThreads = kRingThreads;

  Work work;

  GridSize grid() const { return work.grid(); }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex index) const {
    const RingBlock block(index);
    RingColumn* columns = team.shared().columns;
    team.each(
        [&](Nothing&, int thread) { prepare_columns(work.task.chunk, work.task.layout, block, columns, thread); });
    team.barrier();
    team.each([&](Nothing&, int thread) { work(block, columns[thread / kLanes], thread); });
  }
};

template <class Work>
ColumnBody(Work) -> ColumnBody<Work>;

}  // namespace armilla::kernels
