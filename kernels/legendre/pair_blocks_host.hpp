#pragma once

#include <kernels/core/host_team.hpp>
#include <kernels/legendre/pair_bodies.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::kernels {

/// One block on the host, with threads that know nothing of the last one.
template <class Body, class Work>
void run_block(const Body& body, const Work& work, int threads) {
  HostTeam<typename Body::Lane, typename Body::Shared> team(threads);
  body.run(team, work);
}

/// All blocks of a kernel over ring pairs, one after the other, each with the body that its section takes (run_pairs()
/// on the device).
template <class Bodies>
void run_pair_blocks(const PairArguments& arguments) {
  const ScalarStage& stage = arguments.stage;
  for (Index number = 0; number < block_count(stage, arguments.groups); ++number) {
    const BlockWork work = BlockWork::of(stage, arguments.groups, number);
    const int threads = stage.pair_blocks.threads;
    if (work.form() == RecurrenceForm::kEquator)
      run_block(typename Bodies::Equator{stage, arguments.delta}, work, threads);
    else if (work.exact())
      run_block(typename Bodies::Exact{stage, arguments.delta}, work, threads);
    else
      run_block(typename Bodies::TwoTerms{stage, arguments.delta}, work, threads);
  }
}

}  // namespace armilla::kernels
