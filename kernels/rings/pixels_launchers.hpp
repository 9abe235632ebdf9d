#pragma once

#include <kernels/rings/pixels_body.hpp>

/// The launchers of pixels.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

void write_pixels(const PixelTask<float, float>& task, StreamHandle stream) {
  launch_team(ColumnBody{WritePixels<float>{task}}, "writing of pixels", stream);
}
void write_pixels(const PixelTask<double, double>& task, StreamHandle stream) {
  launch_team(ColumnBody{WritePixels<double>{task}}, "writing of pixels", stream);
}
void read_pixels(const PixelTask<float, const float>& task, StreamHandle stream) {
  launch_team(ColumnBody{ReadPixels<float>{task}}, "reading of pixels", stream);
}
void read_pixels(const PixelTask<double, const double>& task, StreamHandle stream) {
  launch_team(ColumnBody{ReadPixels<double>{task}}, "reading of pixels", stream);
}

}  // namespace armilla::kernels
