#include <kernels/legendre/pair_blocks_host.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/tensor_adjoint_body.hpp>
#include <kernels/legendre/tensor_synthesis_body.hpp>

namespace armilla::kernels {

void launch_tensor_synthesis(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                             StreamHandle) {
  with_fields<8, 4>(groups, [&]<int G>() {
    with_pairs<ScalarChoices::kMostTensorPairs>(stage.pair_blocks, [&]<int P>() {
      run_pair_blocks<PairBodies<TensorSynthesisBody, P, G, double>>({stage, groups, delta});
    });
  });
}

void launch_tensor_adjoint(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                           StreamHandle) {
  with_fields<8, 4>(groups, [&]<int G>() {
    with_tensor_pairs_of_adjoint(stage.pair_blocks, [&]<int P>() {
      run_pair_blocks<PairBodies<TensorAdjointBody, P, G, double>>({stage, groups, delta});
    });
  });
}

}  // namespace armilla::kernels
