#include <armilla/core/error.hpp>

#include <fmt/format.h>
#include <kernels/core/check.hpp>

namespace armilla::kernels {

namespace {

// Errors caused by a kernel, which would recur if the kernel was repeated.
bool is_fault_of_kernel(cudaError_t status) {
  return status == cudaErrorIllegalAddress || status == cudaErrorMisalignedAddress ||
         status == cudaErrorIllegalInstruction || status == cudaErrorInvalidAddressSpace ||
         status == cudaErrorInvalidPc || status == cudaErrorAssert;
}

}  // namespace

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the error, if it can be cleared
  if (is_fault_of_kernel(status))
    throw core::InternalError(fmt::format("CUDA: {} failed: {} ({}): use execution.backend: cpu", what,
                                          cudaGetErrorString(status), cudaGetErrorName(status)));
  const char* advice = status == cudaErrorMemoryAllocation
                           ? ": use more ranks or GPUs, a smaller batch, or execution.backend: cpu"
                           : ": check the GPU with nvidia-smi, or use execution.backend: cpu";
  throw core::ResourceError(
      fmt::format("CUDA: {} failed: {} ({}){}", what, cudaGetErrorString(status), cudaGetErrorName(status), advice));
}

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace armilla::kernels
