#pragma once

#include <kernels/nufft/nufft.hpp>

namespace armilla::kernels {

/// The kernels that an engine runs for the points of chunks: those of jobs, or others for comparison.
template <class T>
struct NufftKernels {
  void (*interpolate)(const DeviceNufftInterpolation<T>&, StreamHandle) = &interpolate_points<T>;
  void (*spread)(const DeviceNufftSpreading<T>&, StreamHandle) = &spread_points<T>;
};

}  // namespace armilla::kernels
