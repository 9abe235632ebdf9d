#include <kernels/core/check.hpp>
#include <kernels/rings/short_rings_body.hpp>

namespace armilla::kernels {

namespace {

template <class T>
__global__ void __launch_bounds__(kRingThreads) short_synthesis_kernel(const __grid_constant__ ShortSynthesis<T> task) {
  using Body = ShortRing<T, ShortSynthesis<T>>;
  __shared__ ShortShared<T> shared;
  const int thread = static_cast<int>(threadIdx.x);
  Body::prepare(task, {static_cast<int>(blockIdx.x), 0}, shared, thread);
  __syncthreads();
  Body::make_roots(shared, thread);
  Body::gather(task, shared, thread);
  __syncthreads();
  Body::multiply(shared, true, thread);
  Body::write(task, shared, thread);  // what this thread multiplied
}

template <class T>
__global__ void __launch_bounds__(kRingThreads) short_adjoint_kernel(const __grid_constant__ ShortAdjoint<T> task) {
  using Body = ShortRing<T, ShortAdjoint<T>>;
  __shared__ ShortShared<T> shared;
  const int thread = static_cast<int>(threadIdx.x);
  Body::prepare(task, {static_cast<int>(blockIdx.x), 0}, shared, thread);
  __syncthreads();
  Body::make_roots(shared, thread);
  Body::read(task, shared, thread);
  __syncthreads();
  Body::multiply(shared, false, thread);
  __syncthreads();
  Body::scatter(task, shared, thread);
}

template <class Task, class Kernel>
void launch(const Task& task, Kernel kernel, StreamHandle stream) {
  kernel<<<task.grid().columns, kRingThreads, 0, stream>>>(task);
  check_launch("transforms of short rings");
}

}  // namespace

void short_synthesis(const ShortSynthesis<float>& task, StreamHandle stream) {
  launch(task, short_synthesis_kernel<float>, stream);
}
void short_synthesis(const ShortSynthesis<double>& task, StreamHandle stream) {
  launch(task, short_synthesis_kernel<double>, stream);
}
void short_adjoint(const ShortAdjoint<float>& task, StreamHandle stream) {
  launch(task, short_adjoint_kernel<float>, stream);
}
void short_adjoint(const ShortAdjoint<double>& task, StreamHandle stream) {
  launch(task, short_adjoint_kernel<double>, stream);
}

}  // namespace armilla::kernels
