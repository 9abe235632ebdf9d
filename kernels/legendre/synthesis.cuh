#pragma once

#include <kernels/core/check.hpp>
#include <kernels/legendre/pair_kernel.cuh>
#include <kernels/legendre/scalar_launchers.hpp>
#include <kernels/legendre/synthesis_body.hpp>

namespace armilla::kernels {

template <int P, int G, class S, class Variant>
__global__ void __launch_bounds__(kMaxThreads) synthesis_kernel(const __grid_constant__ PairArguments arguments) {
  run_pairs<SynthesisBody, P, G, S, Variant>(arguments);
}

template <int G, class S, class Variant>
void launch_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                      StreamHandle stream) {
  with_pairs<Variant::kSynthesisPairs>(stage.pair_blocks, [&]<int P>() {
    synthesis_kernel<P, G, S, Variant><<<block_count(stage, groups), stage.pair_blocks.threads, 0, stream>>>(
        {in_kernel(stage), groups, in_kernel(delta)});
    check_launch("Legendre synthesis");
  });
}

}  // namespace armilla::kernels
