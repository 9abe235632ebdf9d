#include <kernels/core/arithmetic_launchers.hpp>
#include <kernels/core/team_kernel.cuh>
