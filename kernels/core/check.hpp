#pragma once

#include <cuda_runtime_api.h>

namespace armilla::kernels {

/// Throws ResourceError if a call of the CUDA runtime failed, with the operation ("cudaMalloc of 12 MiB") and CUDA's
/// reason. Throws InternalError if a kernel failed, for example by an illegal address. All calls are checked here.
void check(cudaError_t status, const char* what);

/// For launches: checks for errors of the launch itself. Errors of the running kernel are reported by a later call.
void check_launch(const char* kernel);

}  // namespace armilla::kernels
