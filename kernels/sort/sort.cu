#include <kernels/core/team_kernel.cuh>
#include <kernels/sort/sort_launchers.hpp>
