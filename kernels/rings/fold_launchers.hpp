#pragma once

#include <kernels/rings/fold_body.hpp>
#include <kernels/rings/unfold_body.hpp>

/// The launchers of fold.hpp. Include this in a file that defines launch_team.
namespace armilla::kernels {

void fold(const DeviceFoldTask<float, const float>& task, StreamHandle stream) {
  launch_team(Fold<float>{in_kernel(task)}, "folding of Delta", stream);
}
void fold(const DeviceFoldTask<double, const double>& task, StreamHandle stream) {
  launch_team(Fold<double>{in_kernel(task)}, "folding of Delta", stream);
}
template <class T>
void launch_unfold(const DeviceFoldTask<T, T>& task, StreamHandle stream) {
  if (task.chunk.parts == 4)
    launch_team(Unfold<T, 4>{in_kernel(task)}, "unfolding to Delta", stream);
  else
    launch_team(Unfold<T, 1>{in_kernel(task)}, "unfolding to Delta", stream);
}

void unfold(const DeviceFoldTask<float, float>& task, StreamHandle stream) { launch_unfold(task, stream); }
void unfold(const DeviceFoldTask<double, double>& task, StreamHandle stream) { launch_unfold(task, stream); }

}  // namespace armilla::kernels
