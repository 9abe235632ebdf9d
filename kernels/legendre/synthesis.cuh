#pragma once

#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>
#include <kernels/legendre/synthesis_body.hpp>

namespace armilla::kernels {

template <class Body>
__global__ void __launch_bounds__(kMostThreads) synthesis_kernel(const __grid_constant__ Body body) {
  __shared__ typename Body::Shared shared;
  DeviceTeam<typename Body::Lane, typename Body::Shared> team(shared);
  body.run(team, static_cast<Index>(blockIdx.x));
}

/// Launches the kernel for G fields together; false where there is none for the section.
template <int G>
bool launch_synthesis(const ScalarStage& stage, const PairSection& section, const FieldGroups& groups,
                      const DeltaNumbers& delta, StreamHandle stream) {
  return with_section<ScalarChoices::most_pairs_of_synthesis(G)>(section, [&]<RecurrenceForm kForm, int P>() {
    const SynthesisBody<kForm, P, G> body{stage, section, groups, delta};
    synthesis_kernel<<<block_count(stage, section, groups), section.threads, 0, stream>>>(body);
    check_launch("Legendre synthesis");
  });
}

}  // namespace armilla::kernels
