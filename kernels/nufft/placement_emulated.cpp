#include <kernels/core/emulated_launch.hpp>
#include <kernels/nufft/placement_launchers.hpp>
