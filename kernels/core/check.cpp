#include <armilla/core/error.hpp>

#include <fmt/format.h>
#include <kernels/core/check.hpp>

namespace armilla::kernels {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // forgets it, if it can be forgotten
  const char* advice = status == cudaErrorMemoryAllocation
                           ? ": use more ranks or GPUs, a smaller batch, or execution.backend: cpu"
                           : ": see nvidia-smi for the state of the GPU, or use execution.backend: cpu";
  throw core::ResourceError(
      fmt::format("CUDA: {} failed: {} ({}){}", what, cudaGetErrorString(status), cudaGetErrorName(status), advice));
}

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace armilla::kernels
