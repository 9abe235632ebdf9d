#pragma once

#include <kernels/rings/fold_body.hpp>
#include <kernels/rings/unfold_body.hpp>

/// The launchers of fold.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

void fold(const FoldTask<float, const float>& task, StreamHandle stream) {
  launch_team(Fold<float>{task}, "folding of Delta", stream);
}
void fold(const FoldTask<double, const double>& task, StreamHandle stream) {
  launch_team(Fold<double>{task}, "folding of Delta", stream);
}
template <class T>
void launch_unfold(const FoldTask<T, T>& task, StreamHandle stream) {
  if (task.chunk.parts == 4)
    launch_team(Unfold<T, 4>{task}, "unfolding to Delta", stream);
  else
    launch_team(Unfold<T, 1>{task}, "unfolding to Delta", stream);
}

void unfold(const FoldTask<float, float>& task, StreamHandle stream) { launch_unfold(task, stream); }
void unfold(const FoldTask<double, double>& task, StreamHandle stream) { launch_unfold(task, stream); }

}  // namespace armilla::kernels
