#include <kernels/core/team_kernel.cuh>
#include <kernels/legendre/coefficients_launchers.hpp>

namespace armilla::kernels {

void launch_rows(const ScalarStage& stage, StreamHandle stream) {
  launch_team(EachThread{RowsBody{stage, CoefficientBlocks(stage, 1)}}, "rows of the Legendre recurrences", stream);
}

}  // namespace armilla::kernels
