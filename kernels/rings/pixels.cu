#include <kernels/rings/column_kernel.cuh>
#include <kernels/rings/pixels_body.hpp>

namespace armilla::kernels {

void write_pixels(const PixelTask<float, float>& task, StreamHandle stream) {
  launch_on_columns<WritePixels<float>>(task, "writing of pixels", stream);
}
void write_pixels(const PixelTask<double, double>& task, StreamHandle stream) {
  launch_on_columns<WritePixels<double>>(task, "writing of pixels", stream);
}
void read_pixels(const PixelTask<float, const float>& task, StreamHandle stream) {
  launch_on_columns<ReadPixels<float>>(task, "reading of pixels", stream);
}
void read_pixels(const PixelTask<double, const double>& task, StreamHandle stream) {
  launch_on_columns<ReadPixels<double>>(task, "reading of pixels", stream);
}

}  // namespace armilla::kernels
