#pragma once

#include <kernels/core/row_sums_body.hpp>

/// The launchers of row_sums.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

void sum_rows(const DeviceRowSumsTask<double>& task, StreamHandle stream) {
  launch_team(RowSumsBody<double>{in_kernel(task)}, "sums of rows", stream);
}
void sum_rows(const DeviceRowSumsTask<float>& task, StreamHandle stream) {
  launch_team(RowSumsBody<float>{in_kernel(task)}, "sums of rows", stream);
}

}  // namespace armilla::kernels
