#include <kernels/legendre/synthesis.cuh>

namespace armilla::kernels {

template void launch_synthesis<1, float, Production>(const DeviceScalarStage&, const FieldGroups&,
                                                     const DeviceDeltaNumbers&, StreamHandle);

}  // namespace armilla::kernels
