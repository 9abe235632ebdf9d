#include "point_variants.hpp"
#include <kernels/core/emulated_launch.hpp>
#include <kernels/nufft/tensor_launchers.hpp>

namespace armilla::perf {

kernels::NufftKernels<double> tensor_point_kernels() {
  return {.interpolate = &kernels::tensor_interpolate_points, .spread = &kernels::tensor_spread_points};
}

}  // namespace armilla::perf
