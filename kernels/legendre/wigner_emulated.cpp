#include <kernels/core/emulated_launch.hpp>
#include <kernels/legendre/wigner_adjoint_launcher.hpp>
#include <kernels/legendre/wigner_synthesis_launcher.hpp>
