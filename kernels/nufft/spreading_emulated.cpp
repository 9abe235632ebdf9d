#include <armilla/core/instantiate.hpp>

#include <kernels/core/emulated_launch.hpp>
#include <kernels/nufft/spreading_launchers.hpp>

namespace armilla::kernels {

ARMILLA_INSTANTIATE(spread_points);

}  // namespace armilla::kernels
