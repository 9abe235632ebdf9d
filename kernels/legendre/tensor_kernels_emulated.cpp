#include <kernels/core/emulated_launch.hpp>
#include <kernels/legendre/host_pair_blocks.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>
#include <kernels/legendre/tensor_adjoint_body.hpp>
#include <kernels/legendre/tensor_synthesis_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
void run_pair_blocks(const PairArguments& arguments) {
  const HostOrder order = emulation().order;
  for_each_pair_block(arguments, order, [&](const BlockWork& work) {
    run_pair_block<Body>(arguments, work, order, work.rotation(arguments.stage.pair_blocks.threads / kWarp));
  });
}

}  // namespace

void launch_tensor_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream, StreamHandle of_equator) {
  with_fields<8, 4>(groups, [&]<int G>() {
    with_pairs<ScalarChoices::kMaxTensorPairs>(stage.pair_blocks, [&]<int P>() {
      with_forms<P>(stage, [&]<RecurrenceForm kForm, int kPairs>(const DeviceScalarStage& some) {
        enqueue(stream_of<kForm>(stream, of_equator),
                [arguments = PairArguments{in_kernel(some), groups, in_kernel(delta)}] {
                  run_pair_blocks<TensorSynthesisBody<kForm, kPairs, G>>(arguments);
                });
      });
    });
  });
}

void launch_tensor_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream, StreamHandle of_equator) {
  with_fields<8, 4>(groups, [&]<int G>() {
    with_tensor_pairs_of_adjoint(stage.pair_blocks, delta, [&]<int P>() {
      with_forms<P>(stage, [&]<RecurrenceForm kForm, int kPairs>(const DeviceScalarStage& some) {
        enqueue(stream_of<kForm>(stream, of_equator),
                [arguments = PairArguments{in_kernel(some), groups, in_kernel(delta)}] {
                  run_pair_blocks<TensorAdjointBody<kForm, kPairs, G>>(arguments);
                });
      });
    });
  });
}

}  // namespace armilla::kernels
