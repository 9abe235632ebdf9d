#include <kernels/core/emulated_launch.hpp>
#include <kernels/legendre/adjoint_body.hpp>
#include <kernels/legendre/coefficients_launchers.hpp>
#include <kernels/legendre/host_pair_blocks.hpp>
#include <kernels/legendre/pair_bodies.hpp>
#include <kernels/legendre/synthesis_body.hpp>

namespace armilla::kernels {

namespace {

// Runs each block with the body for its section.
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

}  // namespace

void launch_rows(const DeviceScalarStage& stage, StreamHandle stream) {
  launch_team(EachThread{RowsBody{in_kernel(stage), CoefficientBlocks(stage, 1)}}, "rows", stream);
  if (emulation().row_error == 0) return;
  enqueue(stream, [own = in_kernel(stage), error = emulation().row_error] {
    for (Two* rows : own.rows)
      if (rows != nullptr) rows[0].a *= 1 + error;
  });
}

void launch_scalar_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream) {
  with_sums(stage.pair_blocks, [&]<class S>() {
    with_fields_of_synthesis<S>(groups, [&]<int G>() {
      with_pairs<ScalarChoices::kMaxPairs>(stage.pair_blocks, [&]<int P>() {
        enqueue(stream, [arguments = PairArguments{in_kernel(stage), groups, in_kernel(delta)}] {
          run_pair_blocks<PairBodies<SynthesisBody, P, G, S>>(arguments);
        });
      });
    });
  });
}

void launch_scalar_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream) {
  with_sums(stage.pair_blocks, [&]<class S>() {
    with_fields<2, 1>(groups, [&]<int G>() {
      with_pairs<ScalarChoices::kMaxPairs>(stage.pair_blocks, [&]<int P>() {
        enqueue(stream, [arguments = PairArguments{in_kernel(stage), groups, in_kernel(delta)}] {
          run_pair_blocks<PairBodies<AdjointBody, P, G, S>>(arguments);
        });
      });
    });
  });
}

}  // namespace armilla::kernels
