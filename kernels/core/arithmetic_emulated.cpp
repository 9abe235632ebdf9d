#include <kernels/core/arithmetic.hpp>
#include <kernels/core/arithmetic_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
void for_each(const Body& body, Index count) {
  for (Index i = 0; i < count; ++i) body(i);
}

}  // namespace

void convert(double* to, const float* from, Index count, StreamHandle) {
  for_each(ConvertBody<double, float>{to, from}, count);
}
void convert(float* to, const double* from, Index count, StreamHandle) {
  for_each(ConvertBody<float, double>{to, from}, count);
}
void combine(double a, const double* x, double b, double* y, Index count, StreamHandle) {
  for_each(CombineBody<double>{a, x, b, y}, count);
}
void combine(float a, const float* x, float b, float* y, Index count, StreamHandle) {
  for_each(CombineBody<float>{a, x, b, y}, count);
}
void multiply(const double* x, double* y, Index count, StreamHandle) { for_each(MultiplyBody<double>{x, y}, count); }
void multiply(const float* x, float* y, Index count, StreamHandle) { for_each(MultiplyBody<float>{x, y}, count); }
void mask(const double* x, double* y, Index count, StreamHandle) { for_each(MaskBody<double>{x, y}, count); }
void mask(const float* x, float* y, Index count, StreamHandle) { for_each(MaskBody<float>{x, y}, count); }
void multiply_rows(const RowNumbers& rows, const double* factors, double* x, StreamHandle) {
  for_each(MultiplyRowsBody<double>{rows, factors, x}, rows.count());
}
void multiply_rows(const RowNumbers& rows, const double* factors, float* x, StreamHandle) {
  for_each(MultiplyRowsBody<float>{rows, factors, x}, rows.count());
}

}  // namespace armilla::kernels
