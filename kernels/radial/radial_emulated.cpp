#include <kernels/core/emulated_launch.hpp>
#include <kernels/radial/radial_launchers.hpp>
