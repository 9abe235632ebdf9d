#pragma once

#include <armilla/core/instantiate.hpp>

#include <kernels/core/arithmetic_body.hpp>
#include <kernels/core/row_sums_body.hpp>

/// The launchers of arithmetic.hpp. Include this in a file that defines launch_team.
namespace armilla::kernels {

template <class Body>
void launch_numbers(const Body& body, Index count, const char* what, StreamHandle stream) {
  launch_team(EachThread{EachNumber<Body>{body, count}}, what, stream);
}

template <class T>
void Arithmetic<T>::combine(T a, DevicePointer<const T> x, T b, DevicePointer<T> y, Index count, StreamHandle stream) {
  launch_numbers(CombineBody<T>{a, in_kernel(x), b, in_kernel(y)}, count, "sum of fields", stream);
}

template <class T>
void Arithmetic<T>::multiply(DevicePointer<const T> x, DevicePointer<T> y, Index count, StreamHandle stream) {
  launch_numbers(MultiplyBody<T>{in_kernel(x), in_kernel(y)}, count, "product of fields", stream);
}

template <class T>
void Arithmetic<T>::mask(DevicePointer<const T> x, DevicePointer<T> y, Index count, StreamHandle stream) {
  launch_numbers(MaskBody<T>{in_kernel(x), in_kernel(y)}, count, "masking of fields", stream);
}

template <class T>
void Arithmetic<T>::widen(DevicePointer<double> to, DevicePointer<const T> from, Index count, StreamHandle stream) {
  launch_numbers(ConvertBody<double, T>{in_kernel(to), in_kernel(from)}, count, "conversion of a field", stream);
}

template <class T>
void Arithmetic<T>::narrow(DevicePointer<T> to, DevicePointer<const double> from, Index count, StreamHandle stream) {
  launch_numbers(ConvertBody<T, double>{in_kernel(to), in_kernel(from)}, count, "conversion of a field", stream);
}

template <class T>
void Arithmetic<T>::multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<T> x,
                                  StreamHandle stream) {
  launch_numbers(MultiplyRowsBody<T>{in_kernel(rows), in_kernel(factors), in_kernel(x)}, rows.count(),
                 "product of coefficients", stream);
}

template <class T>
void Arithmetic<T>::multiply_orders(const DeviceRowNumbers& rows, DevicePointer<const T> factors,
                                    DevicePointer<const T> from, DevicePointer<T> to, StreamHandle stream) {
  launch_numbers(MultiplyOrdersBody<T>{in_kernel(rows), in_kernel(factors), in_kernel(from), in_kernel(to)},
                 rows.count(), "product of coefficients by order", stream);
}

template <class T>
void Arithmetic<T>::add_rows(const FieldRows& rows, DevicePointer<const T> x, DevicePointer<T> y, StreamHandle stream) {
  launch_numbers(AddRowsBody<T>{rows, in_kernel(x), in_kernel(y)}, rows.count(), "sum of coefficients", stream);
}

template <class T>
void Arithmetic<T>::widen_rows(const FieldRows& rows, DevicePointer<double> to, DevicePointer<const T> from,
                               StreamHandle stream) {
  launch_numbers(ConvertRowsBody<double, T>{rows, in_kernel(to), in_kernel(from)}, rows.count(),
                 "conversion of coefficients", stream);
}

template <class T>
void Arithmetic<T>::narrow_rows(const FieldRows& rows, DevicePointer<T> to, DevicePointer<const double> from,
                                StreamHandle stream) {
  launch_numbers(ConvertRowsBody<T, double>{rows, in_kernel(to), in_kernel(from)}, rows.count(),
                 "conversion of coefficients", stream);
}

template <class T>
void Arithmetic<T>::sum_rows(const DeviceRowSumsTask<T>& task, StreamHandle stream) {
  launch_team(RowSumsBody<T>{in_kernel(task)}, "sums of rows", stream);
}

template <class T>
void Arithmetic<T>::multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                                    DevicePointer<const T> from, DevicePointer<T> to, Index count,
                                    StreamHandle stream) {
  launch_numbers(MultiplyOrbitsBody<T>{in_kernel(orbits), in_kernel(x), period, in_kernel(from), in_kernel(to)}, count,
                 "product with pixel weights", stream);
}

ARMILLA_INSTANTIATE_CLASS(Arithmetic);

}  // namespace armilla::kernels
