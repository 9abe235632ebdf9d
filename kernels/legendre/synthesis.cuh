#pragma once

#include <kernels/core/check.hpp>
#include <kernels/core/device_warp_team.cuh>
#include <kernels/legendre/pair_kernel.cuh>
#include <kernels/legendre/scalar_launchers.hpp>
#include <kernels/legendre/synthesis_body.hpp>

namespace armilla::kernels {

// Blocks per multiprocessor for which there must be registers; 0 if the compiler decides.
template <class Variant, int P, int G>
constexpr int synthesis_blocks() {
  if (Variant::kSynthesisTiles == Tiles::kOfBlock) return 0;
  if (G == 1 && P < 4) return P == 1 ? 24 : 20;
  return P * G <= 4 ? 16 : P * G <= 8 ? 12 : 8;
}

template <int P, int G, class S, class Variant>
__global__ void __launch_bounds__(PairLimits::of<Variant>().synthesis_threads, synthesis_blocks<Variant, P, G>())
    synthesis_kernel(const __grid_constant__ PairArguments arguments) {
  if constexpr (Variant::kSynthesisTiles == Tiles::kOfWarp)
    run_pairs<SynthesisBody, P, G, S, Variant, DeviceWarpTeam>(arguments);
  else
    run_pairs<SynthesisBody, P, G, S, Variant, DeviceTeam>(arguments);
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
