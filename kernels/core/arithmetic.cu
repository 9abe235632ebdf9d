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

void combine(double a, DevicePointer<const double> x, double b, DevicePointer<double> y, Index count,
             StreamHandle stream) {
  launch(CombineBody<double>{a, in_kernel(x), b, in_kernel(y)}, count, "sum of fields", stream);
}
void combine(float a, DevicePointer<const float> x, float b, DevicePointer<float> y, Index count, StreamHandle stream) {
  launch(CombineBody<float>{a, in_kernel(x), b, in_kernel(y)}, count, "sum of fields", stream);
}
void multiply(DevicePointer<const double> x, DevicePointer<double> y, Index count, StreamHandle stream) {
  launch(MultiplyBody<double>{in_kernel(x), in_kernel(y)}, count, "product of fields", stream);
}
void multiply(DevicePointer<const float> x, DevicePointer<float> y, Index count, StreamHandle stream) {
  launch(MultiplyBody<float>{in_kernel(x), in_kernel(y)}, count, "product of fields", stream);
}
void mask(DevicePointer<const double> x, DevicePointer<double> y, Index count, StreamHandle stream) {
  launch(MaskBody<double>{in_kernel(x), in_kernel(y)}, count, "masking of fields", stream);
}
void mask(DevicePointer<const float> x, DevicePointer<float> y, Index count, StreamHandle stream) {
  launch(MaskBody<float>{in_kernel(x), in_kernel(y)}, count, "masking of fields", stream);
}
void multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<double> x,
                   StreamHandle stream) {
  launch(MultiplyRowsBody<double>{in_kernel(rows), in_kernel(factors), in_kernel(x)}, rows.count(),
         "product of coefficients", stream);
}
void multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<float> x,
                   StreamHandle stream) {
  launch(MultiplyRowsBody<float>{in_kernel(rows), in_kernel(factors), in_kernel(x)}, rows.count(),
         "product of coefficients", stream);
}
void add_rows(const FieldRows& rows, DevicePointer<const double> x, DevicePointer<double> y, StreamHandle stream) {
  launch(AddRowsBody<double>{rows, in_kernel(x), in_kernel(y)}, rows.count(), "sum of coefficients", stream);
}
void add_rows(const FieldRows& rows, DevicePointer<const float> x, DevicePointer<float> y, StreamHandle stream) {
  launch(AddRowsBody<float>{rows, in_kernel(x), in_kernel(y)}, rows.count(), "sum of coefficients", stream);
}
void convert_rows(const FieldRows& rows, DevicePointer<double> to, DevicePointer<const float> from,
                  StreamHandle stream) {
  launch(ConvertRowsBody<double, float>{rows, in_kernel(to), in_kernel(from)}, rows.count(),
         "conversion of coefficients", stream);
}
void convert_rows(const FieldRows& rows, DevicePointer<float> to, DevicePointer<const double> from,
                  StreamHandle stream) {
  launch(ConvertRowsBody<float, double>{rows, in_kernel(to), in_kernel(from)}, rows.count(),
         "conversion of coefficients", stream);
}
void multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                     DevicePointer<const double> from, DevicePointer<double> to, Index count, StreamHandle stream) {
  launch(MultiplyOrbitsBody<double>{in_kernel(orbits), in_kernel(x), period, in_kernel(from), in_kernel(to)}, count,
         "product with pixel weights", stream);
}
void multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                     DevicePointer<const float> from, DevicePointer<float> to, Index count, StreamHandle stream) {
  launch(MultiplyOrbitsBody<float>{in_kernel(orbits), in_kernel(x), period, in_kernel(from), in_kernel(to)}, count,
         "product with pixel weights", stream);
}

}  // namespace armilla::kernels
