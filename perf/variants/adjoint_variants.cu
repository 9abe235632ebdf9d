#include "adjoint_variants.hpp"
#include <kernels/legendre/adjoint.cuh>

namespace armilla::perf {

std::vector<KernelVariant> adjoint_variants() { return all_adjoint_variants(); }

}  // namespace armilla::perf
