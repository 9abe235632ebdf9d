#include <kernels/legendre/synthesis.cuh>

namespace armilla::kernels {

template void launch_synthesis<2, double, Production>(const DeviceScalarStage&, const FieldGroups&,
                                                      const DeviceDeltaNumbers&, StreamHandle);

}  // namespace armilla::kernels
