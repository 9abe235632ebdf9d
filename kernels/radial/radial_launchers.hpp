#pragma once

#include <kernels/radial/sum_modes_body.hpp>
#include <kernels/radial/sum_pixels_body.hpp>

/// The launchers of radial.hpp. Include this in a file that defines launch_team.
namespace armilla::kernels {

void sum_radial_modes(const DeviceRadialModesTask& task, StreamHandle stream) {
  launch_team(EachThread{SumRadialModes{in_kernel(task)}}, "radial sums of modes", stream);
}
void sum_radial_pixels(const DeviceRadialPixelsTask& task, StreamHandle stream) {
  launch_team(EachThread{SumRadialPixels{in_kernel(task)}}, "radial sums of pixels", stream);
}

}  // namespace armilla::kernels
