#include <kernels/core/team_kernel.cuh>
#include <kernels/rings/chirps_launchers.hpp>
