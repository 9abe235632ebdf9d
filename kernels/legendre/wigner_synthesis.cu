#include <kernels/core/check.hpp>
#include <kernels/legendre/wigner.hpp>
#include <kernels/legendre/wigner_body.hpp>

namespace armilla::kernels {

namespace {

template <class T, bool kSpin, int kMaps>
__global__ void __launch_bounds__(kWignerThreads) synthesis_kernel(const WignerCall call, const T* alm, T* delta) {
  using Body = WignerSynthesis<T, kSpin, kMaps>;
  __shared__ typename Body::Shared shared;
  const int index = static_cast<int>(threadIdx.x);
  const WignerBlock block = WignerBlock::of(call, blockIdx.x, blockIdx.y, kMaps);
  if (block.empty(call)) return;
  typename Body::State state;
  Body::start(call, block, index, state);
  for (Index first = 0; first < block.steps; first += kWignerTile) {
    Body::stage(call, block, first, alm, index, shared);
    __syncthreads();
    Body::run(block, first, shared, state);
    __syncthreads();
  }
  Body::finish(call, block, state, delta);
}

}  // namespace

template <class T>
void wigner_synthesis(const WignerCall& call, int maps, const T* alm, T* delta, StreamHandle stream) {
  const auto blocks = static_cast<unsigned>(call.k_count * call.most_blocks);
  if (blocks == 0) return;
  with_wigner_shape(call.task.spin, maps, [&]<bool kSpin, int kMaps>() {
    synthesis_kernel<T, kSpin, kMaps>
        <<<dim3(blocks, static_cast<unsigned>(call.map_groups)), kWignerThreads, 0, stream>>>(call, alm, delta);
  });
  check_launch("Wigner synthesis");
}

template void wigner_synthesis<float>(const WignerCall&, int, const float*, float*, StreamHandle);
template void wigner_synthesis<double>(const WignerCall&, int, const double*, double*, StreamHandle);

}  // namespace armilla::kernels
