#pragma once

#include <kernels/nufft/tensor_interpolation_body.hpp>
#include <kernels/nufft/tensor_spreading_body.hpp>

/// The launchers of sums at points on tensor cores. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// interpolate_points() of windows up to kTensorMaxWidth, for points sorted by sub-cells in each chunk.
inline void tensor_interpolate_points(const DeviceNufftInterpolation<double>& task, StreamHandle stream) {
  for_tensor_width<TensorInterpolation>(task.window.width, [&]<class Body>() {
    launch_team(Body{in_kernel(task)}, "interpolation at points on tensor cores", stream);
  });
}

/// spread_points() of windows up to kTensorMaxWidth, for points sorted by sub-cells in each chunk.
inline void tensor_spread_points(const DeviceNufftSpreading<double>& task, StreamHandle stream) {
  for_tensor_width<TensorSpreading>(task.window.width, [&]<class Body>() {
    launch_team(Body{in_kernel(task)}, "spreading from points on tensor cores", stream);
  });
}

}  // namespace armilla::kernels
