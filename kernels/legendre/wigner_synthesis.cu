#include <kernels/core/team_kernel.cuh>
#include <kernels/legendre/wigner_synthesis_launcher.hpp>
