#include <kernels/core/emulated_launch.hpp>
#include <kernels/theta/theta_launchers.hpp>
