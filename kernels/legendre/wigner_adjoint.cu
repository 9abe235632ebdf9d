#include <kernels/core/team_kernel.cuh>
#include <kernels/legendre/wigner_adjoint_launcher.hpp>
