#include <kernels/core/team_kernel.cuh>
#include <kernels/rings/spectra_launchers.hpp>
