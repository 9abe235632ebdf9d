#pragma once

#include <cuda_runtime_api.h>

namespace armilla::kernels {

/// Throws ResourceError where a call of the CUDA run-time failed: what was tried ("cudaMalloc of 12 MiB") and CUDA's
/// reason; InternalError where a kernel failed, as by an illegal address. All calls pass through here.
void check(cudaError_t status, const char* what);

/// For launches: errors of the launch itself. Those of the running kernel come with a later call.
void check_launch(const char* kernel);

}  // namespace armilla::kernels
