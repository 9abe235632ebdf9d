#include <kernels/legendre/tensor_kernels.cuh>

namespace armilla::kernels {

template void launch_tensor_adjoint<4>(const ScalarStage&, const FieldGroups&, const DeltaNumbers&, StreamHandle);

}  // namespace armilla::kernels
