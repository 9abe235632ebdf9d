#pragma once

#include <kernels/core/check.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/rings/ring_chunk.hpp>

namespace armilla::kernels {

/// A kernel that looks up the columns of its blocks and is then one phase, Body::run.
template <class Body, class Task>
__global__ void __launch_bounds__(kRingThreads) column_kernel(const __grid_constant__ Task task) {
  __shared__ RingColumn columns[kColumns];
  const RingBlock block{static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y)};
  const RingGrid grid{static_cast<int>(gridDim.x), static_cast<int>(gridDim.y)};
  const int thread = static_cast<int>(threadIdx.x);
  prepare_columns(task.chunk, task.layout, block, columns, thread);
  __syncthreads();
  Body::run(task, block, grid, columns, thread);
}

template <class Body, class Task>
void launch_on_columns(const Task& task, const char* name, StreamHandle stream) {
  const RingGrid grid = Body::grid(task);
  column_kernel<Body><<<dim3(grid.columns, grid.tiles), kRingThreads, 0, stream>>>(task);
  check_launch(name);
}

}  // namespace armilla::kernels
