#include "adjoint_variants.hpp"
#include "synthesis_variants.hpp"
#include <kernels/legendre/scalar_emulated.hpp>

namespace armilla::perf {

std::vector<KernelVariant> synthesis_variants() { return all_synthesis_variants(); }
std::vector<KernelVariant> adjoint_variants() { return all_adjoint_variants(); }

}  // namespace armilla::perf
