#include <kernels/core/team_kernel.cuh>
#include <kernels/legendre/segment_tables_launchers.hpp>
