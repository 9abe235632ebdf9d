#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::kernels {

// Kernels for each number of fields and type of sums are compiled in separate files.
template <int G, class S>
void launch_synthesis(const DeviceScalarStage&, const FieldGroups&, const DeviceDeltaNumbers&, StreamHandle);
template <int G, class S>
void launch_adjoint(const DeviceScalarStage&, const FieldGroups&, const DeviceDeltaNumbers&, StreamHandle);

template <int G>
void launch_tensor_synthesis(const DeviceScalarStage&, const FieldGroups&, const DeviceDeltaNumbers&, StreamHandle);
template <int G>
void launch_tensor_adjoint(const DeviceScalarStage&, const FieldGroups&, const DeviceDeltaNumbers&, StreamHandle);

void launch_scalar_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream) {
  if (block_count(stage, groups) == 0) return;
  with_sums(stage.pair_blocks, [&]<class S>() {
    with_fields_of_synthesis<S>(groups, [&]<int G>() { launch_synthesis<G, S>(stage, groups, delta, stream); });
  });
}

void launch_scalar_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream) {
  if (block_count(stage, groups) == 0) return;
  with_sums(stage.pair_blocks, [&]<class S>() {
    with_fields<2, 1>(groups, [&]<int G>() { launch_adjoint<G, S>(stage, groups, delta, stream); });
  });
}

void launch_tensor_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream) {
  if (block_count(stage, groups) == 0) return;
  with_fields<8, 4>(groups, [&]<int G>() { launch_tensor_synthesis<G>(stage, groups, delta, stream); });
}

void launch_tensor_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream) {
  if (block_count(stage, groups) == 0) return;
  with_fields<8, 4>(groups, [&]<int G>() { launch_tensor_adjoint<G>(stage, groups, delta, stream); });
}

}  // namespace armilla::kernels
