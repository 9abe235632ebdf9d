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

}  // namespace armilla::kernels
