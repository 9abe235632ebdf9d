#pragma once

#include <armilla/core/types.hpp>

#include <kernels/core/pixel_rings.hpp>
#include <kernels/core/row_sums.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

using core::Index;

/// Rows of fields of complex values: row k of a field consists of the values l = first[k] .. end - 1, at offset[k] + l
/// of the field.
template <template <class> class Pointer>
struct RowNumbersOf {
  Pointer<const Index> first;
  Pointer<const Index> offset;
  Index rows;
  Index end;
  Index fields;
  Index field_stride;

  Index count() const { return fields * rows * end; }
};
using RowNumbers = RowNumbersOf<KernelPointer>;
using DeviceRowNumbers = RowNumbersOf<DevicePointer>;

/// Values begin .. begin + length - 1 of fields of complex values. The field of a component and map is at offset
/// `component * component_stride + map * map_stride` from the first one.
struct FieldRows {
  Index begin, length;
  Index components, maps;
  Index component_stride, map_stride;

  Index count() const { return length * components * maps; }
};

/// Arithmetic on arrays of T on the device, in stream order. Complex arrays are arrays of interleaved real and
/// imaginary parts. Indices i run from 0 to count - 1. T is float or double.
template <class T>
struct Arithmetic {
  /// y_i = a x_i + b y_i.
  static void combine(T a, DevicePointer<const T> x, T b, DevicePointer<T> y, Index count, StreamHandle stream);
  /// y_i = x_i y_i.
  static void multiply(DevicePointer<const T> x, DevicePointer<T> y, Index count, StreamHandle stream);
  /// y_i = x_i y_i where x_i is not 0, otherwise 0 for any y_i.
  static void mask(DevicePointer<const T> x, DevicePointer<T> y, Index count, StreamHandle stream);
  /// to = from, converting between T and double.
  static void widen(DevicePointer<double> to, DevicePointer<const T> from, Index count, StreamHandle stream);
  static void narrow(DevicePointer<T> to, DevicePointer<const double> from, Index count, StreamHandle stream);
  /// Multiplies value l of each complex row of x by factors[l], in double.
  static void multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<T> x,
                            StreamHandle stream);
  /// to = factors[k] from for all values of complex row k; `to` may be `from`.
  static void multiply_orders(const DeviceRowNumbers& rows, DevicePointer<const T> factors, DevicePointer<const T> from,
                              DevicePointer<T> to, StreamHandle stream);
  /// y += x for these complex values.
  static void add_rows(const FieldRows& rows, DevicePointer<const T> x, DevicePointer<T> y, StreamHandle stream);
  /// to = from for these complex values, converting between T and double.
  static void widen_rows(const FieldRows& rows, DevicePointer<double> to, DevicePointer<const T> from,
                         StreamHandle stream);
  static void narrow_rows(const FieldRows& rows, DevicePointer<T> to, DevicePointer<const double> from,
                          StreamHandle stream);
  /// Computes task.sums.
  static void sum_rows(const DeviceRowSumsTask<T>& task, StreamHandle stream);
  /// to_i = (1 + x[orbit of pixel i % period]) from_i, in double.
  static void multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                              DevicePointer<const T> from, DevicePointer<T> to, Index count, StreamHandle stream);
};

}  // namespace armilla::kernels
