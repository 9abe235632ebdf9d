#include <kernels/legendre/scalar_launchers.hpp>

namespace armilla::kernels {

// Kernels for each number of fields and type of sums are compiled in separate files.
template <int G>
void launch_tensor_synthesis(const DeviceScalarStage&, const FieldGroups&, const DeviceDeltaNumbers&, StreamHandle,
                             StreamHandle);
template <int G>
void launch_tensor_adjoint(const DeviceScalarStage&, const FieldGroups&, const DeviceDeltaNumbers&, StreamHandle,
                           StreamHandle);

const ScalarKernels& scalar_kernels() { return kScalarKernels<Production>; }

void launch_tensor_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream, StreamHandle of_equator) {
  if (block_count(stage, groups) == 0) return;
  with_fields<8, 4>(groups, [&]<int G>() { launch_tensor_synthesis<G>(stage, groups, delta, stream, of_equator); });
}

void launch_tensor_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream, StreamHandle of_equator) {
  if (block_count(stage, groups) == 0) return;
  with_fields<8, 4>(groups, [&]<int G>() { launch_tensor_adjoint<G>(stage, groups, delta, stream, of_equator); });
}

}  // namespace armilla::kernels
