#pragma once

#include <algorithm>

#include <kernels/core/check.hpp>
#include <kernels/legendre/pair_kernel.cuh>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>
#include <kernels/legendre/tensor_adjoint_body.hpp>
#include <kernels/legendre/tensor_synthesis_body.hpp>

namespace armilla::kernels {

// Two warps to a scheduler, of which one multiplies while the other makes values.
template <int P, int G>
__global__ void __launch_bounds__(kMostThreads, 2)
    tensor_synthesis_kernel(const __grid_constant__ PairArguments arguments) {
  run_pairs<TensorSynthesisBody, P, G, double>(arguments);
}
template <int P, int G>
__global__ void __launch_bounds__(kMostTensorWarps* kWarp, 1)
    tensor_adjoint_kernel(const __grid_constant__ PairArguments arguments) {
  extern __shared__ __align__(16) unsigned char memory[];
  run_pairs<PairBodies<TensorAdjointBody, P, G, double>>(memory, arguments);
}

/// Launches the kernel for G fields together.
template <int G>
void launch_tensor_synthesis(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                             StreamHandle stream) {
  with_pairs<ScalarChoices::kMostTensorPairs>(stage.pair_blocks, [&]<int P>() {
    tensor_synthesis_kernel<P, G>
        <<<block_count(stage, groups), stage.pair_blocks.threads, 0, stream>>>({stage, groups, delta});
    check_launch("Legendre synthesis by tensor cores");
  });
}
template <int G>
void launch_tensor_adjoint(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                           StreamHandle stream) {
  with_tensor_pairs_of_adjoint(stage.pair_blocks, [&]<int P>() {
    using Bodies = PairBodies<TensorAdjointBody, P, G, double>;
    const int threads = stage.pair_blocks.threads;
    const std::size_t bytes =
        std::max(Bodies::TwoTerms::Shared::bytes(threads), Bodies::Equator::Shared::bytes(threads));
    const auto kernel = tensor_adjoint_kernel<P, G>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
          "asking for the shared memory of the Legendre adjoint");
    kernel<<<block_count(stage, groups), threads, bytes, stream>>>({stage, groups, delta});
    check_launch("Legendre adjoint by tensor cores");
  });
}

}  // namespace armilla::kernels
