#include <kernels/legendre/coefficients_launchers.hpp>
#include <kernels/legendre/scalar_emulated.hpp>

namespace armilla::kernels {

void launch_rows(const DeviceScalarStage& stage, StreamHandle stream) {
  launch_team(EachThread{RowsBody{in_kernel(stage), CoefficientBlocks(stage, 1)}}, "rows", stream);
  if (emulation().row_error == 0) return;
  enqueue(stream, [own = in_kernel(stage), error = emulation().row_error] {
    for (Two* rows : own.rows)
      if (rows != nullptr) rows[0].a *= 1 + error;
  });
}

const ScalarKernels& scalar_kernels() { return kScalarKernels<Production>; }

}  // namespace armilla::kernels
