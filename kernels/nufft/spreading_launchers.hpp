#pragma once

#include <kernels/nufft/spreading_body.hpp>

/// The spreading launchers of nufft.hpp. Include this in a file that defines launch_team.
namespace armilla::kernels {

template <class T>
void spread_points(const DeviceNufftSpreading<T>& task, StreamHandle stream) {
  for_field_groups<SpreadPoints, T>(task.window.width, task.fields, [&]<class Body>(Index first, Index groups) {
    launch_team(Body{in_kernel(task), first, groups}, "spreading from points", stream);
  });
}

}  // namespace armilla::kernels
