#include <kernels/core/emulated_launch.hpp>
#include <kernels/nufft/rows_launchers.hpp>
