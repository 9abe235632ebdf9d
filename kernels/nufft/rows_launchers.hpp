#pragma once

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

template void add_sums(const DeviceNufftAddition<float>&, StreamHandle);
template void add_sums(const DeviceNufftAddition<double>&, StreamHandle);
template void fill_mirrors(const DeviceNufftMirrors<float>&, StreamHandle);
template void fill_mirrors(const DeviceNufftMirrors<double>&, StreamHandle);
template void fold_mirrors(const DeviceNufftMirrors<float>&, StreamHandle);
template void fold_mirrors(const DeviceNufftMirrors<double>&, StreamHandle);

}  // namespace armilla::kernels
