#include <kernels/core/emulated_launch.hpp>
#include <kernels/sort/sort_launchers.hpp>
