#pragma once

#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/segment_launchers.hpp>

namespace armilla::kernels {

template <class Body>
__global__ void __launch_bounds__(Body::kThreads, Body::kResidentBlocks)
    segment_kernel(const __grid_constant__ SegmentArguments arguments) {
  using Shared = typename Body::Shared;
  extern __shared__ __align__(16) unsigned char memory[];
  DeviceTeam<typename Body::Lane, Shared> team(*reinterpret_cast<Shared*>(memory));
  Body{arguments.stage, arguments.delta}.run(
      team, SegmentWork::of(arguments.stage, Body::kRecurrence, arguments.groups, static_cast<Index>(blockIdx.x)));
}

/// Launches a body, for each form, with the groups' number of fields together.
template <template <RecurrenceForm, int> class Body>
void launch_segment_kernels(const DeviceSegmentStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                            StreamHandle stream) {
  with_fields<8, 4, 2, 1>(groups, [&]<int G>() {
    with_segment_forms(stage, [&]<RecurrenceForm kForm>() {
      using Own = Body<kForm, G>;
      const auto blocks = static_cast<unsigned>(segment_blocks<Own>(stage, groups));
      constexpr std::size_t kBytes = sizeof(typename Own::Shared);
      const auto kernel = segment_kernel<Own>;
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(kBytes)),
            Own::kWhat);
      kernel<<<blocks, Own::kThreads, kBytes, stream>>>({in_kernel(stage), groups, in_kernel(delta)});
      check_launch(Own::kWhat);
    });
  });
}

}  // namespace armilla::kernels
