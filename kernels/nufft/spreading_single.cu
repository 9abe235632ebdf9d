#include <kernels/core/team_kernel.cuh>
#include <kernels/nufft/spreading_launchers.hpp>

namespace armilla::kernels {

template void spread_points(const DeviceNufftSpreading<float>&, StreamHandle);

}  // namespace armilla::kernels
