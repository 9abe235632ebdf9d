#include <kernels/core/emulated_launch.hpp>
#include <kernels/nufft/interpolation_launchers.hpp>

namespace armilla::kernels {

template void interpolate_points(const DeviceNufftInterpolation<float>&, StreamHandle);
template void interpolate_points(const DeviceNufftInterpolation<double>&, StreamHandle);

}  // namespace armilla::kernels
