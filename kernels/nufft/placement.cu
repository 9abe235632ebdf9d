#include <kernels/core/team_kernel.cuh>
#include <kernels/nufft/placement_launchers.hpp>
