#include <kernels/core/team_kernel.cuh>
#include <kernels/rings/short_rings_launchers.hpp>
