#pragma once

#include <kernels/nufft/spreading_body.hpp>

/// The launchers of spreading of nufft.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

template <class T>
void spread_points(const DeviceNufftSpreading<T>& task, StreamHandle stream) {
  for_field_groups<SpreadPoints, T>(task.window.width, task.fields, [&]<class Body>(Index first, Index groups) {
    launch_team(Body{in_kernel(task), first, groups}, "spreading from points", stream);
  });
}

}  // namespace armilla::kernels
