#include <armilla/core/instantiate.hpp>

#include <kernels/core/emulated_launch.hpp>
#include <kernels/nufft/interpolation_launchers.hpp>

namespace armilla::kernels {

ARMILLA_INSTANTIATE(interpolate_points);

}  // namespace armilla::kernels
