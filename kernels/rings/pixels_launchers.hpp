#pragma once

#include <kernels/rings/pixels_body.hpp>

/// The launchers of pixels.hpp. Include this in a file that defines launch_team.
namespace armilla::kernels {

void write_pixels(const DevicePixelTask<float, float>& task, StreamHandle stream) {
  launch_team(ColumnBody{WritePixels<float>{in_kernel(task)}}, "writing of pixels", stream);
}
void write_pixels(const DevicePixelTask<double, double>& task, StreamHandle stream) {
  launch_team(ColumnBody{WritePixels<double>{in_kernel(task)}}, "writing of pixels", stream);
}
void read_pixels(const DevicePixelTask<float, const float>& task, StreamHandle stream) {
  launch_team(ColumnBody{ReadPixels<float>{in_kernel(task)}}, "reading of pixels", stream);
}
void read_pixels(const DevicePixelTask<double, const double>& task, StreamHandle stream) {
  launch_team(ColumnBody{ReadPixels<double>{in_kernel(task)}}, "reading of pixels", stream);
}

}  // namespace armilla::kernels
