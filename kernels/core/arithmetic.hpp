#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <kernels/core/device_pointer.hpp>
#include <kernels/core/row_sums.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

using core::Index;

/// The rings of a component of a map, one after the other.
template <template <class> class Pointer>
struct PixelRingsOf {
  Pointer<const Index> begin;  ///< [ring, and the end] first pixel
  Index rings;

  /// Index of the ring that contains a pixel.
  HOST_DEVICE Index find(Index pixel) const {
    Index low = 0;
    Index high = rings;
    while (high - low > 1) {
      const Index middle = (low + high) / 2;
      if (begin[middle] <= pixel)
        low = middle;
      else
        high = middle;
    }
    return low;
  }
};

/// Rings of HEALPix, with one value for each orbit of its symmetry: the pixels mapped onto each other by quarter turns
/// and phi -> -phi (grid::HealpixOrbits).
template <template <class> class Pointer>
struct PixelOrbitsOf {
  PixelRingsOf<Pointer> rings;
  Pointer<const Index> quarter;  ///< [ring] pixels of a quarter of it
  Pointer<const Index> shifted;  ///< [ring] 1 if the first pixel is half a pixel from phi = 0, 0 if it is at phi = 0
  Pointer<const Index> first;    ///< [ring] its first orbit

  HOST_DEVICE Index orbit(Index pixel) const {
    const Index ring = rings.find(pixel);
    const Index pixels = quarter[ring];
    const Index j = (pixel - rings.begin[ring]) % pixels;
    const Index mirrored = pixels - shifted[ring] - j;
    return first[ring] + (j < mirrored ? j : mirrored);
  }
};
using PixelOrbits = PixelOrbitsOf<KernelPointer>;
using DevicePixelOrbits = PixelOrbitsOf<DevicePointer>;

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
