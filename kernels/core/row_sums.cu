#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/core/row_sums_body.hpp>

namespace armilla::kernels {

namespace {

template <class T>
__global__ void __launch_bounds__(kRowSumThreads) row_sums_kernel(const __grid_constant__ RowSumsBody<T> body) {
  __shared__ typename RowSumsBody<T>::Shared shared;
  DeviceTeam<typename RowSumsBody<T>::Lane, typename RowSumsBody<T>::Shared> team(shared);
  body.run(team, static_cast<Index>(blockIdx.x));
}

template <class T>
void launch(const RowSumsBody<T>& body, StreamHandle stream) {
  if (body.blocks() == 0) return;
  row_sums_kernel<<<static_cast<unsigned>(body.blocks()), kRowSumThreads, 0, stream>>>(body);
  check_launch("sums of rows");
}

}  // namespace

void sum_rows(const RowSumsTask<double>& task, StreamHandle stream) { launch(RowSumsBody<double>{task}, stream); }
void sum_rows(const RowSumsTask<float>& task, StreamHandle stream) { launch(RowSumsBody<float>{task}, stream); }

}  // namespace armilla::kernels
