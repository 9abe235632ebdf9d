#pragma once

#include <kernels/core/check.hpp>
#include <kernels/legendre/adjoint_body.hpp>
#include <kernels/legendre/pair_kernel.cuh>
#include <kernels/legendre/scalar_launchers.hpp>

namespace armilla::kernels {

// Requests as many blocks per multiprocessor as the registers permit.
template <int P, int G, class S, class Variant>
__global__ void __launch_bounds__(kMaxThreads, G == 1 ? 4 : 3)
    adjoint_kernel(const __grid_constant__ PairArguments arguments) {
  run_pairs<AdjointBody, P, G, S, Variant, DeviceTeam>(arguments);
}

template <int G, class S, class Variant>
void launch_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                    StreamHandle stream) {
  with_pairs<Variant::kAdjointPairs>(stage.pair_blocks, [&]<int P>() {
    adjoint_kernel<P, G, S, Variant><<<block_count(stage, groups), stage.pair_blocks.threads, 0, stream>>>(
        {in_kernel(stage), groups, in_kernel(delta)});
    check_launch("Legendre adjoint");
  });
}

}  // namespace armilla::kernels
