#pragma once

#include <kernels/core/emulated_launch.hpp>
#include <kernels/legendre/adjoint_body.hpp>
#include <kernels/legendre/host_pair_blocks.hpp>
#include <kernels/legendre/pair_bodies.hpp>
#include <kernels/legendre/scalar_launchers.hpp>
#include <kernels/legendre/synthesis_body.hpp>

namespace armilla::kernels {

/// Runs each block with the body for its section.
template <class Bodies>
void run_pair_blocks(const PairArguments& arguments) {
  const HostOrder order = emulation().order;
  for_each_pair_block(arguments, order, [&](const BlockWork& work) {
    const int rotation = work.rotation(arguments.stage.pair_blocks.threads / kWarp);
    if (work.form() == RecurrenceForm::kEquator)
      run_pair_block<typename Bodies::Equator>(arguments, work, order, rotation);
    else if (work.exact())
      run_pair_block<typename Bodies::Exact>(arguments, work, order, rotation);
    else
      run_pair_block<typename Bodies::TwoTerms>(arguments, work, order, rotation);
  });
}

template <int G, class S, class Variant>
void launch_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                      StreamHandle stream) {
  with_pairs<Variant::kSynthesisPairs>(stage.pair_blocks, [&]<int P>() {
    enqueue(stream, [arguments = PairArguments{in_kernel(stage), groups, in_kernel(delta)}] {
      run_pair_blocks<PairBodies<SynthesisBody, P, G, S, Variant>>(arguments);
    });
  });
}

template <int G, class S, class Variant>
void launch_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                    StreamHandle stream) {
  with_pairs<Variant::kAdjointPairs>(stage.pair_blocks, [&]<int P>() {
    enqueue(stream, [arguments = PairArguments{in_kernel(stage), groups, in_kernel(delta)}] {
      run_pair_blocks<PairBodies<AdjointBody, P, G, S, Variant>>(arguments);
    });
  });
}

}  // namespace armilla::kernels
