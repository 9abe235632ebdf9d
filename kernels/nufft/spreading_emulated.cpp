#include <kernels/core/emulated_launch.hpp>
#include <kernels/nufft/spreading_launchers.hpp>

namespace armilla::kernels {

template void spread_points(const DeviceNufftSpreading<float>&, StreamHandle);
template void spread_points(const DeviceNufftSpreading<double>&, StreamHandle);

}  // namespace armilla::kernels
