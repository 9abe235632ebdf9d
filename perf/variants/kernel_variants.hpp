#pragma once

#include <vector>

#include <kernels/legendre/scalar_launchers.hpp>

namespace armilla::perf {

/// Kernels on CUDA cores that differ from those of jobs in one direction.
struct KernelVariant {
  const char* name;
  const char* what;
  kernels::ScalarKernels kernels;
};

/// Compiled for devices and for the emulated device.
std::vector<KernelVariant> synthesis_variants();
std::vector<KernelVariant> adjoint_variants();

}  // namespace armilla::perf
