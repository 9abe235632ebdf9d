#pragma once

#include <kernels/nufft/nufft_kernels.hpp>

namespace armilla::perf {

/// Kernels for points on tensor cores, for windows up to kernels::kTensorMaxWidth. Points of each chunk must be sorted
/// by sub-cells. Compiled for devices and for the emulated device.
kernels::NufftKernels<double> tensor_point_kernels();

}  // namespace armilla::perf
