#include <kernels/core/team_kernel.cuh>
#include <kernels/rings/fold_launchers.hpp>
