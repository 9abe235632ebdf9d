#pragma once

#include <armilla/core/instantiate.hpp>

#include <kernels/nufft/rows_body.hpp>

/// The launchers of nufft.hpp between rows. Include this in a file that defines launch_team.
namespace armilla::kernels {

template <class T>
void add_sums(const DeviceNufftAddition<T>& task, StreamHandle stream) {
  launch_team(EachThread{AddSums<T>{in_kernel(task)}}, "sums of chunks of points", stream);
}

template <class T>
void fill_mirrors(const DeviceNufftMirrors<T>& task, StreamHandle stream) {
  launch_team(EachThread{MirrorRows<T, false>{in_kernel(task)}}, "rows past the poles", stream);
}

template <class T>
void fold_mirrors(const DeviceNufftMirrors<T>& task, StreamHandle stream) {
  launch_team(EachThread{MirrorRows<T, true>{in_kernel(task)}}, "sums of rows past the poles", stream);
}

ARMILLA_INSTANTIATE(add_sums);
ARMILLA_INSTANTIATE(fill_mirrors);
ARMILLA_INSTANTIATE(fold_mirrors);

}  // namespace armilla::kernels
