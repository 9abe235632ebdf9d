#include "legendre_variants.hpp"

#include "variants/kernel_variants.hpp"

namespace armilla::perf {

std::vector<LegendreVariant> legendre_variants() {
  using enum backend::Products;
  const kernels::ScalarKernels& own = kernels::scalar_kernels();
  std::vector<LegendreVariant> all = {
      {"production", "the kernels of jobs", kByTask, own},
      {"cuda_cores", "the kernels of jobs for CUDA cores, also in batches", kCudaCores, own},
      {"tensor_cores", "the kernels of jobs for tensor cores, also for single maps", kTensorCores, own}};
  for (const auto& some : {synthesis_variants(), adjoint_variants()})
    for (const KernelVariant& one : some) all.push_back({one.name, one.what, kCudaCores, one.kernels});
  return all;
}

}  // namespace armilla::perf
