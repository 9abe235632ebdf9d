#include <kernels/core/check.hpp>
#include <kernels/rings/fold_body.hpp>

namespace armilla::kernels {

namespace {

template <class T>
__global__ void __launch_bounds__(kRingThreads, 4) fold_kernel(const __grid_constant__ FoldTask<T, const T> task) {
  using Body = Fold<T>;
  __shared__ FoldShared<T> shared;
  typename Body::State state;
  const int thread = static_cast<int>(threadIdx.x);
  const RingBlock block{static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y)};
  Body::prepare(task, block, shared, state, thread);
  __syncthreads();
  const int waves = Body::waves(shared);
  for (int wave = 0; wave < waves; ++wave) {
    Body::gather(task, block, wave, shared, thread);
    __syncthreads();
    Body::add(task, block, wave, shared, state, thread);
    __syncthreads();
  }
  Body::finish(task, block, static_cast<int>(gridDim.y), shared, state, thread);
}

template <class T>
__global__ void __launch_bounds__(kRingThreads) unfold_kernel(const __grid_constant__ FoldTask<T, T> task) {
  using Body = Unfold<T>;
  __shared__ FoldShared<T> shared;
  const int thread = static_cast<int>(threadIdx.x);
  const RingBlock block{static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y)};
  Body::prepare(task, block, shared, thread);
  __syncthreads();
  Body::turn(task, block, shared, thread);
  __syncthreads();
  Body::scatter(task, block, shared, thread);
}

template <class T>
void launch_fold(const FoldTask<T, const T>& task, StreamHandle stream) {
  const RingGrid grid = task.fold_grid();
  fold_kernel<T><<<dim3(grid.columns, grid.tiles), kRingThreads, 0, stream>>>(task);
  check_launch("folding of Delta");
}

template <class T>
void launch_unfold(const FoldTask<T, T>& task, StreamHandle stream) {
  const RingGrid grid = task.unfold_grid();
  if (grid.tiles == 0) return;
  unfold_kernel<T><<<dim3(grid.columns, grid.tiles), kRingThreads, 0, stream>>>(task);
  check_launch("unfolding to Delta");
}

}  // namespace

void fold(const FoldTask<float, const float>& task, StreamHandle stream) { launch_fold(task, stream); }
void fold(const FoldTask<double, const double>& task, StreamHandle stream) { launch_fold(task, stream); }
void unfold(const FoldTask<float, float>& task, StreamHandle stream) { launch_unfold(task, stream); }
void unfold(const FoldTask<double, double>& task, StreamHandle stream) { launch_unfold(task, stream); }

}  // namespace armilla::kernels
