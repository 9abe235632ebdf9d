#pragma once

#include <algorithm>

#include <kernels/rings/ring_modes_body.hpp>

/// The launchers of ring_modes.hpp. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// Launches a body for m_begin .. m_end - 1, with at most the maximum number of grid rows per launch.
template <class Body>
void launch_rows_of(const Body& body, Index m_begin, Index m_end, Index numbers, const char* what,
                    StreamHandle stream) {
  using Rows = ModeRows<Body>;
  for (Index m = m_begin; m < m_end; m += Rows::kMaxRows)
    launch_team(EachThread{Rows{body, m, std::min(m_end - m, Rows::kMaxRows), numbers}}, what, stream);
}
template <class Body, class T>
void launch_modes(const Body& body, const DeviceRingModeTask<T>& task, const char* what, StreamHandle stream) {
  launch_rows_of(body, task.m_begin, task.m_end, task.numbers, what, stream);
}
template <class T>
void launch_squares(const SquaresBody<T>& body, StreamHandle stream) {
  launch_rows_of(body, 0, 1, body.numbers(), "squares of ring modes", stream);
}

void gather_aliases(const DeviceRingModeTask<float>& task, StreamHandle stream) {
  launch_modes(GatherBody<float>{in_kernel(task)}, task, "aliases of ring modes", stream);
}
void gather_aliases(const DeviceRingModeTask<double>& task, StreamHandle stream) {
  launch_modes(GatherBody<double>{in_kernel(task)}, task, "aliases of ring modes", stream);
}
void subtract(const DeviceSubtractTask<float>& task, StreamHandle stream) {
  launch_modes(SubtractBody<float>{in_kernel(task)}, task.modes, "corrections of ring modes", stream);
}
void subtract(const DeviceSubtractTask<double>& task, StreamHandle stream) {
  launch_modes(SubtractBody<double>{in_kernel(task)}, task.modes, "corrections of ring modes", stream);
}
void scale(const DeviceScaleTask<float>& task, StreamHandle stream) {
  launch_modes(ScaleBody<float>{in_kernel(task)}, task.modes, "products of ring modes", stream);
}
void scale(const DeviceScaleTask<double>& task, StreamHandle stream) {
  launch_modes(ScaleBody<double>{in_kernel(task)}, task.modes, "products of ring modes", stream);
}
void squares(const DeviceSquaresTask<float>& task, StreamHandle stream) {
  launch_squares(SquaresBody<float>{in_kernel(task)}, stream);
}
void squares(const DeviceSquaresTask<double>& task, StreamHandle stream) {
  launch_squares(SquaresBody<double>{in_kernel(task)}, stream);
}

}  // namespace armilla::kernels
