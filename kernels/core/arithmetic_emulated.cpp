#include <kernels/core/arithmetic.hpp>
#include <kernels/core/arithmetic_body.hpp>
#include <kernels/core/emulated_stream.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
void for_each(const Body& body, Index count, StreamHandle stream) {
  enqueue(stream, [=] {
    for (Index i = 0; i < count; ++i) body(i);
  });
}

}  // namespace

void combine(double a, DevicePointer<const double> x, double b, DevicePointer<double> y, Index count,
             StreamHandle stream) {
  for_each(CombineBody<double>{a, in_kernel(x), b, in_kernel(y)}, count, stream);
}
void combine(float a, DevicePointer<const float> x, float b, DevicePointer<float> y, Index count, StreamHandle stream) {
  for_each(CombineBody<float>{a, in_kernel(x), b, in_kernel(y)}, count, stream);
}
void multiply(DevicePointer<const double> x, DevicePointer<double> y, Index count, StreamHandle stream) {
  for_each(MultiplyBody<double>{in_kernel(x), in_kernel(y)}, count, stream);
}
void multiply(DevicePointer<const float> x, DevicePointer<float> y, Index count, StreamHandle stream) {
  for_each(MultiplyBody<float>{in_kernel(x), in_kernel(y)}, count, stream);
}
void mask(DevicePointer<const double> x, DevicePointer<double> y, Index count, StreamHandle stream) {
  for_each(MaskBody<double>{in_kernel(x), in_kernel(y)}, count, stream);
}
void mask(DevicePointer<const float> x, DevicePointer<float> y, Index count, StreamHandle stream) {
  for_each(MaskBody<float>{in_kernel(x), in_kernel(y)}, count, stream);
}
void multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<double> x,
                   StreamHandle stream) {
  for_each(MultiplyRowsBody<double>{in_kernel(rows), in_kernel(factors), in_kernel(x)}, rows.count(), stream);
}
void multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<float> x,
                   StreamHandle stream) {
  for_each(MultiplyRowsBody<float>{in_kernel(rows), in_kernel(factors), in_kernel(x)}, rows.count(), stream);
}
void add_rows(const FieldRows& rows, DevicePointer<const double> x, DevicePointer<double> y, StreamHandle stream) {
  for_each(AddRowsBody<double>{rows, in_kernel(x), in_kernel(y)}, rows.count(), stream);
}
void add_rows(const FieldRows& rows, DevicePointer<const float> x, DevicePointer<float> y, StreamHandle stream) {
  for_each(AddRowsBody<float>{rows, in_kernel(x), in_kernel(y)}, rows.count(), stream);
}
void convert_rows(const FieldRows& rows, DevicePointer<double> to, DevicePointer<const float> from,
                  StreamHandle stream) {
  for_each(ConvertRowsBody<double, float>{rows, in_kernel(to), in_kernel(from)}, rows.count(), stream);
}
void convert_rows(const FieldRows& rows, DevicePointer<float> to, DevicePointer<const double> from,
                  StreamHandle stream) {
  for_each(ConvertRowsBody<float, double>{rows, in_kernel(to), in_kernel(from)}, rows.count(), stream);
}
void multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                     DevicePointer<const double> from, DevicePointer<double> to, Index count, StreamHandle stream) {
  for_each(MultiplyOrbitsBody<double>{in_kernel(orbits), in_kernel(x), period, in_kernel(from), in_kernel(to)}, count,
           stream);
}
void multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                     DevicePointer<const float> from, DevicePointer<float> to, Index count, StreamHandle stream) {
  for_each(MultiplyOrbitsBody<float>{in_kernel(orbits), in_kernel(x), period, in_kernel(from), in_kernel(to)}, count,
           stream);
}

}  // namespace armilla::kernels
