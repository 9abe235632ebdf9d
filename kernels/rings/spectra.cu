#include <algorithm>

#include <kernels/core/check.hpp>
#include <kernels/rings/spectra_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
__global__ void __launch_bounds__(kSpectraThreads)
    for_each_number(const __grid_constant__ Body body, Index m_begin, Index numbers) {
  const Index m = m_begin + blockIdx.y;
  const Index step = static_cast<Index>(gridDim.x) * kSpectraThreads;
  for (Index i = static_cast<Index>(blockIdx.x) * kSpectraThreads + threadIdx.x; i < numbers; i += step) body(m, i);
}

// An m to a row of blocks, rows in launches of as many as a grid may have.
template <class Body>
void launch(const Body& body, Index m_begin, Index m_end, Index numbers, const char* what, StreamHandle stream) {
  constexpr Index kMostBlocks = 4096;
  constexpr Index kMostRows = 65535;
  if (numbers == 0) return;
  const auto blocks = static_cast<unsigned>(std::min((numbers + kSpectraThreads - 1) / kSpectraThreads, kMostBlocks));
  for (Index m = m_begin; m < m_end; m += kMostRows) {
    const auto rows = static_cast<unsigned>(std::min(m_end - m, kMostRows));
    for_each_number<<<dim3(blocks, rows), kSpectraThreads, 0, stream>>>(body, m, numbers);
    check_launch(what);
  }
}
template <class Body, class T>
void launch(const Body& body, const SpectraTask<T>& task, const char* what, StreamHandle stream) {
  launch(body, task.m_begin, task.m_end, task.numbers, what, stream);
}
template <class T>
void launch_squares(const SquaresBody<T>& body, StreamHandle stream) {
  launch(body, 0, 1, body.numbers(), "squares of spectra of rings", stream);
}

}  // namespace

void gather_aliases(const SpectraTask<float>& task, StreamHandle stream) {
  launch(GatherBody<float>{task}, task, "aliases of spectra of rings", stream);
}
void gather_aliases(const SpectraTask<double>& task, StreamHandle stream) {
  launch(GatherBody<double>{task}, task, "aliases of spectra of rings", stream);
}
void take_off(const TakeOffTask<float>& task, StreamHandle stream) {
  launch(TakeOffBody<float>{task}, task.spectra, "corrections of spectra of rings", stream);
}
void take_off(const TakeOffTask<double>& task, StreamHandle stream) {
  launch(TakeOffBody<double>{task}, task.spectra, "corrections of spectra of rings", stream);
}
void scale(const ScaleTask<float>& task, StreamHandle stream) {
  launch(ScaleBody<float>{task}, task.spectra, "products of spectra of rings", stream);
}
void scale(const ScaleTask<double>& task, StreamHandle stream) {
  launch(ScaleBody<double>{task}, task.spectra, "products of spectra of rings", stream);
}
void squares(const SquaresTask<float>& task, StreamHandle stream) { launch_squares(SquaresBody<float>{task}, stream); }
void squares(const SquaresTask<double>& task, StreamHandle stream) {
  launch_squares(SquaresBody<double>{task}, stream);
}

}  // namespace armilla::kernels
