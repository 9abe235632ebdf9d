#include <kernels/core/team_kernel.cuh>
#include <kernels/rings/pixels_launchers.hpp>
