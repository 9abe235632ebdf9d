#include <kernels/legendre/synthesis.cuh>

namespace armilla::kernels {

template bool launch_synthesis<4>(const ScalarStage&, const PairSection&, const FieldGroups&, const DeltaNumbers&,
                                  StreamHandle);

}  // namespace armilla::kernels
