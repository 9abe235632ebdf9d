#include <kernels/core/check.hpp>
#include <kernels/legendre/wigner.hpp>
#include <kernels/legendre/wigner_body.hpp>

namespace armilla::kernels {

namespace {

template <class T, bool kSpin, int kMaps>
__global__ void __launch_bounds__(kWignerThreads)
    adjoint_kernel(const WignerCall call, const T* delta, double* partials) {
  using Body = WignerAdjoint<T, kSpin, kMaps>;
  __shared__ typename Body::Shared shared;
  const int index = static_cast<int>(threadIdx.x);
  const WignerBlock block = WignerBlock::of(call, blockIdx.x, blockIdx.y, kMaps);
  if (block.empty(call)) return;
  partials += blockIdx.y * call.group_partials;
  typename Body::State state;
  Body::start(call, block, delta, index, state);
  Body::clear(index, shared);
  for (Index first = 0; first < block.steps; first += kWignerTile) {
    Body::stage(call, block, first, index, shared);
    __syncthreads();
    for (int row = 0; row < kWignerTile && first + row < block.steps; row += Body::kPart) {
      Body::run(block, first + row, row, index, shared, state);
      __syncthreads();
      Body::sum(call, block, first + row, index, shared, partials);
      __syncthreads();
    }
  }
}

template <class T, bool kSpin, int kMaps>
__global__ void __launch_bounds__(kWignerReduceThreads)
    reduce_kernel(const WignerCall call, Accumulate accumulate, const double* partials, T* alm) {
  const auto [k, l] = WignerDegree::of(call, blockIdx.x, static_cast<int>(threadIdx.x));
  reduce_partials<T, kSpin, kMaps>(call, accumulate, k, l, blockIdx.y, partials, alm);
}

}  // namespace

template <class T>
void wigner_adjoint(const WignerCall& call, int maps, const T* delta, double* partials, Accumulate accumulate, T* alm,
                    StreamHandle stream) {
  const auto blocks = static_cast<unsigned>(call.k_count * call.most_blocks);
  const auto degree_blocks = static_cast<unsigned>(call.k_count * WignerDegree::blocks(call.task));
  if (degree_blocks == 0) return;
  with_wigner_shape(call.task.spin, maps, [&]<bool kSpin, int kMaps>() {
    const auto groups = static_cast<unsigned>(call.map_groups);
    if (blocks > 0)
      adjoint_kernel<T, kSpin, kMaps><<<dim3(blocks, groups), kWignerThreads, 0, stream>>>(call, delta, partials);
    check_launch("Wigner adjoint");
    reduce_kernel<T, kSpin, kMaps>
        <<<dim3(degree_blocks, groups), kWignerReduceThreads, 0, stream>>>(call, accumulate, partials, alm);
  });
  check_launch("second pass of the Wigner adjoint");
}

template void wigner_adjoint<float>(const WignerCall&, int, const float*, double*, Accumulate, float*, StreamHandle);
template void wigner_adjoint<double>(const WignerCall&, int, const double*, double*, Accumulate, double*, StreamHandle);

}  // namespace armilla::kernels
