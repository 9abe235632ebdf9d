#include "synthesis_variants.hpp"
#include <kernels/legendre/synthesis.cuh>

namespace armilla::perf {

std::vector<KernelVariant> synthesis_variants() { return all_synthesis_variants(); }

}  // namespace armilla::perf
