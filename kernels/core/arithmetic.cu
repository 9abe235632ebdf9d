#include <algorithm>

#include <kernels/core/arithmetic.hpp>
#include <kernels/core/arithmetic_body.hpp>
#include <kernels/core/check.hpp>

namespace armilla::kernels {

namespace {

constexpr int kThreads = 256;
constexpr Index kMostBlocks = 1 << 16;

template <class Body>
__global__ void for_each(Body body, Index count) {
  const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) body(i);
}

template <class Body>
void launch(const Body& body, Index count, const char* what, StreamHandle stream) {
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>(std::min((count + kThreads - 1) / kThreads, kMostBlocks));
  for_each<<<blocks, kThreads, 0, stream>>>(body, count);
  check_launch(what);
}

}  // namespace

void convert(double* to, const float* from, Index count, StreamHandle stream) {
  launch(ConvertBody<double, float>{to, from}, count, "conversion of numbers", stream);
}
void convert(float* to, const double* from, Index count, StreamHandle stream) {
  launch(ConvertBody<float, double>{to, from}, count, "conversion of numbers", stream);
}
void combine(double a, const double* x, double b, double* y, Index count, StreamHandle stream) {
  launch(CombineBody<double>{a, x, b, y}, count, "sum of fields", stream);
}
void combine(float a, const float* x, float b, float* y, Index count, StreamHandle stream) {
  launch(CombineBody<float>{a, x, b, y}, count, "sum of fields", stream);
}
void multiply(const double* x, double* y, Index count, StreamHandle stream) {
  launch(MultiplyBody<double>{x, y}, count, "product of fields", stream);
}
void multiply(const float* x, float* y, Index count, StreamHandle stream) {
  launch(MultiplyBody<float>{x, y}, count, "product of fields", stream);
}
void mask(const double* x, double* y, Index count, StreamHandle stream) {
  launch(MaskBody<double>{x, y}, count, "masking of fields", stream);
}
void mask(const float* x, float* y, Index count, StreamHandle stream) {
  launch(MaskBody<float>{x, y}, count, "masking of fields", stream);
}
void multiply_rows(const RowNumbers& rows, const double* factors, double* x, StreamHandle stream) {
  launch(MultiplyRowsBody<double>{rows, factors, x}, rows.count(), "product of coefficients", stream);
}
void multiply_rows(const RowNumbers& rows, const double* factors, float* x, StreamHandle stream) {
  launch(MultiplyRowsBody<float>{rows, factors, x}, rows.count(), "product of coefficients", stream);
}

}  // namespace armilla::kernels
