#pragma once

#include <kernels/core/row_sums_body.hpp>

/// The launchers of row_sums.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

void sum_rows(const RowSumsTask<double>& task, StreamHandle stream) {
  launch_team(RowSumsBody<double>{task}, "sums of rows", stream);
}
void sum_rows(const RowSumsTask<float>& task, StreamHandle stream) {
  launch_team(RowSumsBody<float>{task}, "sums of rows", stream);
}

}  // namespace armilla::kernels
