#include <kernels/core/team_kernel.cuh>
#include <kernels/theta/theta_launchers.hpp>
