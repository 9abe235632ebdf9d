#include <kernels/rings/chirps_body.hpp>
#include <kernels/rings/column_kernel.cuh>

namespace armilla::kernels {

namespace {

template <class T>
__global__ void __launch_bounds__(kRingThreads) chirp_kernel(const __grid_constant__ ChirpTask<T> task) {
  const RingBlock block{static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y)};
  make_chirps_of_thread(task, block, static_cast<int>(threadIdx.x));
}

template <class T>
void launch_chirps(const ChirpTask<T>& task, StreamHandle stream) {
  const RingGrid grid = task.grid();
  chirp_kernel<T><<<dim3(grid.columns, grid.tiles), kRingThreads, 0, stream>>>(task);
  check_launch("making chirps");
}

}  // namespace

void make_chirps(const ChirpTask<float>& task, StreamHandle stream) { launch_chirps(task, stream); }
void make_chirps(const ChirpTask<double>& task, StreamHandle stream) { launch_chirps(task, stream); }
void multiply(const ChirpedTask<float>& task, StreamHandle stream) {
  launch_on_columns<Multiply<float>>(task, "filtering of chirped rings", stream);
}
void multiply(const ChirpedTask<double>& task, StreamHandle stream) {
  launch_on_columns<Multiply<double>>(task, "filtering of chirped rings", stream);
}
void combine(const ChirpedTask<float>& task, StreamHandle stream) {
  launch_on_columns<Combine<float>>(task, "combining parts of chirped rings", stream);
}
void combine(const ChirpedTask<double>& task, StreamHandle stream) {
  launch_on_columns<Combine<double>>(task, "combining parts of chirped rings", stream);
}

}  // namespace armilla::kernels
