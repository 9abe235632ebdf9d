#include <kernels/core/row_sums_launchers.hpp>
#include <kernels/core/team_kernel.cuh>
