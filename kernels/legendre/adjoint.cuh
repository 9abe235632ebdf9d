#pragma once

#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/legendre/adjoint_body.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::kernels {

// Two blocks to a multiprocessor: with three, what eight pairs need does not stay in registers.
template <class Body>
__global__ void __launch_bounds__(kMostThreads, 2) adjoint_kernel(const __grid_constant__ Body body) {
  __shared__ typename Body::Shared shared;
  DeviceTeam<typename Body::Lane, typename Body::Shared> team(shared);
  body.run(team, static_cast<Index>(blockIdx.x));
}

/// Launches the kernel for G fields together; false where there is none for the section.
template <int G>
bool launch_adjoint(const ScalarStage& stage, const PairSection& section, const FieldGroups& groups,
                    const DeltaNumbers& delta, StreamHandle stream) {
  return with_section<ScalarChoices::kMostPairsOfAdjoint>(section, [&]<RecurrenceForm kForm, int P>() {
    const AdjointBody<kForm, P, G> body{stage, section, groups, delta};
    adjoint_kernel<<<block_count(stage, section, groups), section.threads, 0, stream>>>(body);
    check_launch("Legendre adjoint");
  });
}

}  // namespace armilla::kernels
