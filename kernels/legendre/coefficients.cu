#include <kernels/core/team_kernel.cuh>
#include <kernels/legendre/coefficients_launchers.hpp>

namespace armilla::kernels {

void launch_rows(const DeviceScalarStage& stage, StreamHandle stream) {
  launch_team(EachThread{RowsBody{in_kernel(stage), CoefficientBlocks(stage, 1)}}, "rows of the Legendre recurrences",
              stream);
}

}  // namespace armilla::kernels
