#include <kernels/core/arithmetic.hpp>
#include <kernels/core/arithmetic_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
void for_each(const Body& body, Index count) {
  for (Index i = 0; i < count; ++i) body(i);
}

}  // namespace

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
void add_rows(const FieldRows& rows, const double* x, double* y, StreamHandle) {
  for_each(AddRowsBody<double>{rows, x, y}, rows.count());
}
void add_rows(const FieldRows& rows, const float* x, float* y, StreamHandle) {
  for_each(AddRowsBody<float>{rows, x, y}, rows.count());
}
void convert_rows(const FieldRows& rows, double* to, const float* from, StreamHandle) {
  for_each(ConvertRowsBody<double, float>{rows, to, from}, rows.count());
}
void convert_rows(const FieldRows& rows, float* to, const double* from, StreamHandle) {
  for_each(ConvertRowsBody<float, double>{rows, to, from}, rows.count());
}
void multiply_orbits(const PixelOrbits& orbits, const double* x, Index period, const double* from, double* to,
                     Index count, StreamHandle) {
  for_each(MultiplyOrbitsBody<double>{orbits, x, period, from, to}, count);
}
void multiply_orbits(const PixelOrbits& orbits, const double* x, Index period, const float* from, float* to,
                     Index count, StreamHandle) {
  for_each(MultiplyOrbitsBody<float>{orbits, x, period, from, to}, count);
}

}  // namespace armilla::kernels
