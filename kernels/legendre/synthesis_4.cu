#include <kernels/legendre/synthesis.cuh>

namespace armilla::kernels {

template void launch_synthesis<4, double>(const ScalarStage&, const FieldGroups&, const DeltaNumbers&, StreamHandle);

}  // namespace armilla::kernels
