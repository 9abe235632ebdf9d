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
void add_rows(const FieldRows& rows, const double* x, double* y, StreamHandle stream) {
  launch(AddRowsBody<double>{rows, x, y}, rows.count(), "sum of coefficients", stream);
}
void add_rows(const FieldRows& rows, const float* x, float* y, StreamHandle stream) {
  launch(AddRowsBody<float>{rows, x, y}, rows.count(), "sum of coefficients", stream);
}
void convert_rows(const FieldRows& rows, double* to, const float* from, StreamHandle stream) {
  launch(ConvertRowsBody<double, float>{rows, to, from}, rows.count(), "conversion of coefficients", stream);
}
void convert_rows(const FieldRows& rows, float* to, const double* from, StreamHandle stream) {
  launch(ConvertRowsBody<float, double>{rows, to, from}, rows.count(), "conversion of coefficients", stream);
}
void multiply_orbits(const PixelOrbits& orbits, const double* x, Index period, const double* from, double* to,
                     Index count, StreamHandle stream) {
  launch(MultiplyOrbitsBody<double>{orbits, x, period, from, to}, count, "product with pixel weights", stream);
}
void multiply_orbits(const PixelOrbits& orbits, const double* x, Index period, const float* from, float* to,
                     Index count, StreamHandle stream) {
  launch(MultiplyOrbitsBody<float>{orbits, x, period, from, to}, count, "product with pixel weights", stream);
}

}  // namespace armilla::kernels
