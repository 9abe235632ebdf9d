#include <kernels/legendre/adjoint.cuh>

namespace armilla::kernels {

template bool launch_adjoint<1>(const ScalarStage&, const PairSection&, const FieldGroups&, const DeltaNumbers&,
                                StreamHandle);

}  // namespace armilla::kernels
