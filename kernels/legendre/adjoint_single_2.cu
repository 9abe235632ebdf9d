#include <kernels/legendre/adjoint.cuh>

namespace armilla::kernels {

template void launch_adjoint<2, float, Production>(const DeviceScalarStage&, const FieldGroups&,
                                                   const DeviceDeltaNumbers&, StreamHandle);

}  // namespace armilla::kernels
