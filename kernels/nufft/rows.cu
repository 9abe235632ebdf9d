#include <kernels/core/team_kernel.cuh>
#include <kernels/nufft/rows_launchers.hpp>
