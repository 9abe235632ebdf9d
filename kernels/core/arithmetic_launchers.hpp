#pragma once

#include <kernels/core/arithmetic_body.hpp>

/// The launchers of arithmetic.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

template <class Body>
void launch_numbers(const Body& body, Index count, const char* what, StreamHandle stream) {
  launch_team(EachThread{EachNumber<Body>{body, count}}, what, stream);
}

void combine(double a, DevicePointer<const double> x, double b, DevicePointer<double> y, Index count,
             StreamHandle stream) {
  launch_numbers(CombineBody<double>{a, in_kernel(x), b, in_kernel(y)}, count, "sum of fields", stream);
}
void combine(float a, DevicePointer<const float> x, float b, DevicePointer<float> y, Index count, StreamHandle stream) {
  launch_numbers(CombineBody<float>{a, in_kernel(x), b, in_kernel(y)}, count, "sum of fields", stream);
}
void multiply(DevicePointer<const double> x, DevicePointer<double> y, Index count, StreamHandle stream) {
  launch_numbers(MultiplyBody<double>{in_kernel(x), in_kernel(y)}, count, "product of fields", stream);
}
void multiply(DevicePointer<const float> x, DevicePointer<float> y, Index count, StreamHandle stream) {
  launch_numbers(MultiplyBody<float>{in_kernel(x), in_kernel(y)}, count, "product of fields", stream);
}
void mask(DevicePointer<const double> x, DevicePointer<double> y, Index count, StreamHandle stream) {
  launch_numbers(MaskBody<double>{in_kernel(x), in_kernel(y)}, count, "masking of fields", stream);
}
void mask(DevicePointer<const float> x, DevicePointer<float> y, Index count, StreamHandle stream) {
  launch_numbers(MaskBody<float>{in_kernel(x), in_kernel(y)}, count, "masking of fields", stream);
}
void multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<double> x,
                   StreamHandle stream) {
  launch_numbers(MultiplyRowsBody<double>{in_kernel(rows), in_kernel(factors), in_kernel(x)}, rows.count(),
                 "product of coefficients", stream);
}
void multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<float> x,
                   StreamHandle stream) {
  launch_numbers(MultiplyRowsBody<float>{in_kernel(rows), in_kernel(factors), in_kernel(x)}, rows.count(),
                 "product of coefficients", stream);
}
void add_rows(const FieldRows& rows, DevicePointer<const double> x, DevicePointer<double> y, StreamHandle stream) {
  launch_numbers(AddRowsBody<double>{rows, in_kernel(x), in_kernel(y)}, rows.count(), "sum of coefficients", stream);
}
void add_rows(const FieldRows& rows, DevicePointer<const float> x, DevicePointer<float> y, StreamHandle stream) {
  launch_numbers(AddRowsBody<float>{rows, in_kernel(x), in_kernel(y)}, rows.count(), "sum of coefficients", stream);
}
void convert_rows(const FieldRows& rows, DevicePointer<double> to, DevicePointer<const float> from,
                  StreamHandle stream) {
  launch_numbers(ConvertRowsBody<double, float>{rows, in_kernel(to), in_kernel(from)}, rows.count(),
                 "conversion of coefficients", stream);
}
void convert_rows(const FieldRows& rows, DevicePointer<float> to, DevicePointer<const double> from,
                  StreamHandle stream) {
  launch_numbers(ConvertRowsBody<float, double>{rows, in_kernel(to), in_kernel(from)}, rows.count(),
                 "conversion of coefficients", stream);
}
void multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                     DevicePointer<const double> from, DevicePointer<double> to, Index count, StreamHandle stream) {
  launch_numbers(MultiplyOrbitsBody<double>{in_kernel(orbits), in_kernel(x), period, in_kernel(from), in_kernel(to)},
                 count, "product with pixel weights", stream);
}
void multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                     DevicePointer<const float> from, DevicePointer<float> to, Index count, StreamHandle stream) {
  launch_numbers(MultiplyOrbitsBody<float>{in_kernel(orbits), in_kernel(x), period, in_kernel(from), in_kernel(to)},
                 count, "product with pixel weights", stream);
}

}  // namespace armilla::kernels
