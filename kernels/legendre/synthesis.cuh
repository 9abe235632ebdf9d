#pragma once

#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>
#include <kernels/legendre/synthesis_body.hpp>

namespace armilla::kernels {

template <int P, int G>
__global__ void __launch_bounds__(kMostThreads) synthesis_kernel(const __grid_constant__ PairArguments arguments) {
  using TwoTerms = SynthesisBody<RecurrenceForm::kTwoTerm, P, G>;
  using Equator = SynthesisBody<RecurrenceForm::kEquator, 1, G>;
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
void launch_synthesis(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                      StreamHandle stream) {
  with_pairs<ScalarChoices::most_pairs_of_synthesis(G)>(stage.pair_blocks, [&]<int P>() {
    synthesis_kernel<P, G>
        <<<block_count(stage, groups), stage.pair_blocks.threads, 0, stream>>>({stage, groups, delta});
    check_launch("Legendre synthesis");
  });
}

}  // namespace armilla::kernels
