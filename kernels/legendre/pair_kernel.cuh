#pragma once

#include <kernels/core/device_team.cuh>
#include <kernels/legendre/pair_bodies.hpp>

namespace armilla::kernels {

template <class Body, template <class, class> class Team>
__device__ void run_block(unsigned char* memory, const PairArguments& arguments, const BlockWork& work) {
  using Shared = typename Body::Shared;
  const int rotation = work.rotation(static_cast<int>(blockDim.x) / kWarp);
  Team<typename Body::Lane, Shared> team(*reinterpret_cast<Shared*>(memory), rotation);
  Body{arguments.stage, arguments.delta}.run(team, work);
}

/// One block of a kernel over ring pairs, with the body of PairBodies for its section; Team is DeviceTeam or
/// DeviceWarpTeam.
template <template <RecurrenceForm, int, int, class, class> class Body, int P, int G, class S, class Variant,
          template <class, class> class Team>
__device__ void run_pairs(const PairArguments& arguments) {
  using Bodies = PairBodies<Body, P, G, S, Variant>;
  alignas(16) __shared__ unsigned char memory[Bodies::kSharedBytes];
  const BlockWork work = BlockWork::of(arguments.stage, arguments.groups, static_cast<Index>(blockIdx.x));
  if (work.form() == RecurrenceForm::kEquator)
    run_block<typename Bodies::Equator, Team>(memory, arguments, work);
  else if (Bodies::kMixed && work.exact())
    run_block<typename Bodies::Exact, Team>(memory, arguments, work);
  else
    run_block<typename Bodies::TwoTerms, Team>(memory, arguments, work);
}

}  // namespace armilla::kernels
