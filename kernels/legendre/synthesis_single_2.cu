#include <kernels/legendre/synthesis.cuh>

namespace armilla::kernels {

template void launch_synthesis<2, float>(const ScalarStage&, const FieldGroups&, const DeltaNumbers&, StreamHandle);

}  // namespace armilla::kernels
