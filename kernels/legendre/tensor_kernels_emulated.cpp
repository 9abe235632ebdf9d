#include <kernels/core/emulated_launch.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>
#include <kernels/legendre/tensor_adjoint_body.hpp>
#include <kernels/legendre/tensor_synthesis_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
void run_pair_blocks(const PairArguments& arguments) {
  const ScalarStage& stage = arguments.stage;
  const HostOrder order = emulation().order;
  for_all(order, Index{block_count(stage, arguments.groups)}, [&](Index number) {
    const BlockWork work = BlockWork::of(stage, arguments.groups, number);
    const int threads = stage.pair_blocks.threads;
    run_block(Body{stage, arguments.delta}, work, threads, order, work.rotation(threads / kWarp));
  });
}

}  // namespace

void launch_tensor_synthesis(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                             StreamHandle) {
  with_fields<8, 4>(groups, [&]<int G>() {
    with_pairs<ScalarChoices::kMostTensorPairs>(stage.pair_blocks, [&]<int P>() {
      with_forms<P>(stage, [&]<RecurrenceForm kForm, int kPairs>(const ScalarStage& some) {
        run_pair_blocks<TensorSynthesisBody<kForm, kPairs, G>>({some, groups, delta});
      });
    });
  });
}

void launch_tensor_adjoint(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                           StreamHandle) {
  with_fields<8, 4>(groups, [&]<int G>() {
    with_tensor_pairs_of_adjoint(stage.pair_blocks, [&]<int P>() {
      with_forms<P>(stage, [&]<RecurrenceForm kForm, int kPairs>(const ScalarStage& some) {
        run_pair_blocks<TensorAdjointBody<kForm, kPairs, G>>({some, groups, delta});
      });
    });
  });
}

}  // namespace armilla::kernels
