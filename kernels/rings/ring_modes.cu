#include <kernels/core/team_kernel.cuh>
#include <kernels/rings/ring_modes_launchers.hpp>
