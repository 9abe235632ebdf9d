#pragma once

#include <algorithm>

#include <kernels/rings/spectra_body.hpp>

/// The launchers of spectra.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

/// m_begin .. m_end - 1, in launches of as many as a grid may have rows.
template <class Body>
void launch_rows_of(const Body& body, Index m_begin, Index m_end, Index numbers, const char* what,
                    StreamHandle stream) {
  using Rows = SpectraRows<Body>;
  for (Index m = m_begin; m < m_end; m += Rows::kMostRows)
    launch_team(EachThread{Rows{body, m, std::min(m_end - m, Rows::kMostRows), numbers}}, what, stream);
}
template <class Body, class T>
void launch_spectra(const Body& body, const SpectraTask<T>& task, const char* what, StreamHandle stream) {
  launch_rows_of(body, task.m_begin, task.m_end, task.numbers, what, stream);
}
template <class T>
void launch_squares(const SquaresBody<T>& body, StreamHandle stream) {
  launch_rows_of(body, 0, 1, body.numbers(), "squares of spectra of rings", stream);
}

void gather_aliases(const SpectraTask<float>& task, StreamHandle stream) {
  launch_spectra(GatherBody<float>{task}, task, "aliases of spectra of rings", stream);
}
void gather_aliases(const SpectraTask<double>& task, StreamHandle stream) {
  launch_spectra(GatherBody<double>{task}, task, "aliases of spectra of rings", stream);
}
void take_off(const TakeOffTask<float>& task, StreamHandle stream) {
  launch_spectra(TakeOffBody<float>{task}, task.spectra, "corrections of spectra of rings", stream);
}
void take_off(const TakeOffTask<double>& task, StreamHandle stream) {
  launch_spectra(TakeOffBody<double>{task}, task.spectra, "corrections of spectra of rings", stream);
}
void scale(const ScaleTask<float>& task, StreamHandle stream) {
  launch_spectra(ScaleBody<float>{task}, task.spectra, "products of spectra of rings", stream);
}
void scale(const ScaleTask<double>& task, StreamHandle stream) {
  launch_spectra(ScaleBody<double>{task}, task.spectra, "products of spectra of rings", stream);
}
void squares(const SquaresTask<float>& task, StreamHandle stream) { launch_squares(SquaresBody<float>{task}, stream); }
void squares(const SquaresTask<double>& task, StreamHandle stream) {
  launch_squares(SquaresBody<double>{task}, stream);
}

}  // namespace armilla::kernels
