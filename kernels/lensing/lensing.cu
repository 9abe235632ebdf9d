#include <kernels/core/team_kernel.cuh>
#include <kernels/lensing/lensing_launchers.hpp>
