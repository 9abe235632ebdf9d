#include <kernels/legendre/adjoint.cuh>

namespace armilla::kernels {

template void launch_adjoint<1, double>(const ScalarStage&, const FieldGroups&, const DeltaNumbers&, StreamHandle);

}  // namespace armilla::kernels
