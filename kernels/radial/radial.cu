#include <kernels/core/team_kernel.cuh>
#include <kernels/radial/radial_launchers.hpp>
