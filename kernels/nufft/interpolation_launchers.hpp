#pragma once

#include <kernels/nufft/interpolation_body.hpp>

/// The interpolation launchers of nufft.hpp. Include this in a file that defines launch_team.
namespace armilla::kernels {

template <class T>
void interpolate_points(const DeviceNufftInterpolation<T>& task, StreamHandle stream) {
  for_field_groups<InterpolatePoints, T>(task.window.width, task.fields, [&]<class Body>(Index first, Index groups) {
    launch_team(Body{in_kernel(task), first, groups}, "interpolation at points", stream);
  });
}

}  // namespace armilla::kernels
