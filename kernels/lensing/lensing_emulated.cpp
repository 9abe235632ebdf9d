#include <kernels/core/emulated_launch.hpp>
#include <kernels/lensing/lensing_launchers.hpp>
