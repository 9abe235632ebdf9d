#include <kernels/legendre/adjoint.cuh>

namespace armilla::kernels {

template void launch_adjoint<1, double, Production>(const DeviceScalarStage&, const FieldGroups&,
                                                    const DeviceDeltaNumbers&, StreamHandle);

}  // namespace armilla::kernels
