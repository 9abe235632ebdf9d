#include <kernels/core/arithmetic_launchers.hpp>
#include <kernels/core/emulated_launch.hpp>
