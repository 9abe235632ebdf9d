#pragma once

#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/legendre/adjoint_body.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::kernels {

// Two blocks to a multiprocessor: with three, what eight pairs need does not stay in registers.
template <int P, int G>
__global__ void __launch_bounds__(kMostThreads, 2) adjoint_kernel(const __grid_constant__ PairArguments arguments) {
  using TwoTerms = AdjointBody<RecurrenceForm::kTwoTerm, P, G>;
  using Equator = AdjointBody<RecurrenceForm::kEquator, 1, G>;
  __shared__ union {
    typename TwoTerms::Shared two_terms;
    typename Equator::Shared equator;
  } shared;
  const BlockWork work = BlockWork::of(arguments.stage, arguments.groups, static_cast<Index>(blockIdx.x));
  if (work.form() == RecurrenceForm::kTwoTerm) {
    DeviceTeam<typename TwoTerms::Lane, typename TwoTerms::Shared> team(shared.two_terms);
    TwoTerms{arguments.stage, arguments.delta}.run(team, work);
  } else {
    DeviceTeam<typename Equator::Lane, typename Equator::Shared> team(shared.equator);
    Equator{arguments.stage, arguments.delta}.run(team, work);
  }
}

/// Launches the kernel for G fields together.
template <int G>
void launch_adjoint(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                    StreamHandle stream) {
  with_pairs<ScalarChoices::kMostPairsOfAdjoint>(stage.pair_blocks, [&]<int P>() {
    adjoint_kernel<P, G><<<block_count(stage, groups), stage.pair_blocks.threads, 0, stream>>>({stage, groups, delta});
    check_launch("Legendre adjoint");
  });
}

}  // namespace armilla::kernels
