#include <kernels/legendre/adjoint.cuh>

namespace armilla::kernels {

template void launch_adjoint<2, double>(const ScalarStage&, const FieldGroups&, const DeltaNumbers&, StreamHandle);

}  // namespace armilla::kernels
