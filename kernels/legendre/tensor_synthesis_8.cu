#include <kernels/legendre/tensor_kernels.cuh>

namespace armilla::kernels {

template void launch_tensor_synthesis<8>(const DeviceScalarStage&, const FieldGroups&, const DeviceDeltaNumbers&,
                                         StreamHandle, StreamHandle);

}  // namespace armilla::kernels
