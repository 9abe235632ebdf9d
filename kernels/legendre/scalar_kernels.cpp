#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::kernels {

// Each number of fields is made in a file of its own.
template <int G>
void launch_synthesis(const ScalarStage&, const FieldGroups&, const DeltaNumbers&, StreamHandle);
template <int G>
void launch_adjoint(const ScalarStage&, const FieldGroups&, const DeltaNumbers&, StreamHandle);

void launch_scalar_synthesis(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                             StreamHandle stream) {
  if (block_count(stage, groups) == 0) return;
  with_fields<4, 2, 1>(groups, [&]<int G>() { launch_synthesis<G>(stage, groups, delta, stream); });
}

void launch_scalar_adjoint(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                           StreamHandle stream) {
  if (block_count(stage, groups) == 0) return;
  with_fields<2, 1>(groups, [&]<int G>() { launch_adjoint<G>(stage, groups, delta, stream); });
}

}  // namespace armilla::kernels
