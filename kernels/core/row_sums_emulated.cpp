#include <kernels/core/emulated_launch.hpp>
#include <kernels/core/row_sums_launchers.hpp>
