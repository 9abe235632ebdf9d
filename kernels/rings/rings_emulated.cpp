#include <kernels/core/emulated_launch.hpp>
#include <kernels/rings/chirps_launchers.hpp>
#include <kernels/rings/fold_launchers.hpp>
#include <kernels/rings/pixels_launchers.hpp>
#include <kernels/rings/ring_modes_launchers.hpp>
#include <kernels/rings/short_rings_launchers.hpp>
