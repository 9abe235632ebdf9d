#include <kernels/core/team_kernel.cuh>
#include <kernels/nufft/interpolation_launchers.hpp>

namespace armilla::kernels {

template void interpolate_points(const DeviceNufftInterpolation<float>&, StreamHandle);

}  // namespace armilla::kernels
