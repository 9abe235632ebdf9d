#pragma once

#include <kernels/rings/fold_body.hpp>

/// The launchers of fold.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

void fold(const FoldTask<float, const float>& task, StreamHandle stream) {
  launch_team(Fold<float>{task}, "folding of Delta", stream);
}
void fold(const FoldTask<double, const double>& task, StreamHandle stream) {
  launch_team(Fold<double>{task}, "folding of Delta", stream);
}
void unfold(const FoldTask<float, float>& task, StreamHandle stream) {
  launch_team(Unfold<float>{task}, "unfolding to Delta", stream);
}
void unfold(const FoldTask<double, double>& task, StreamHandle stream) {
  launch_team(Unfold<double>{task}, "unfolding to Delta", stream);
}

}  // namespace armilla::kernels
