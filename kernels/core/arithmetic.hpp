#pragma once

#include <armilla/core/types.hpp>

#include <kernels/core/pixel_rings.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

using core::Index;

/// y_i = a x_i + b y_i, i = 0 .. count - 1; on the device, in the order of the stream.
void combine(double a, DevicePointer<const double> x, double b, DevicePointer<double> y, Index count,
             StreamHandle stream);
void combine(float a, DevicePointer<const float> x, float b, DevicePointer<float> y, Index count, StreamHandle stream);

/// y_i = x_i y_i, i = 0 .. count - 1; likewise.
void multiply(DevicePointer<const double> x, DevicePointer<double> y, Index count, StreamHandle stream);
void multiply(DevicePointer<const float> x, DevicePointer<float> y, Index count, StreamHandle stream);

/// y_i = x_i y_i where x_i is not 0, else 0 whatever y_i is; likewise.
void mask(DevicePointer<const double> x, DevicePointer<double> y, Index count, StreamHandle stream);
void mask(DevicePointer<const float> x, DevicePointer<float> y, Index count, StreamHandle stream);

/// Rows of fields of complex numbers: row k of a field has numbers l = first[k] .. end - 1, at offset[k] + l of the
/// field.
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

/// Number l of each row times factors[l], in double, all fields; likewise. x has the real and imaginary parts.
void multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<double> x,
                   StreamHandle stream);
void multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<float> x,
                   StreamHandle stream);

/// Numbers begin .. begin + length - 1 of fields of complex numbers: that of a component and map is `component *
/// component_stride + map * map_stride` behind that of the first.
struct FieldRows {
  Index begin, length;
  Index components, maps;
  Index component_stride, map_stride;

  Index count() const { return length * components * maps; }
};

/// y += x for these numbers; on the device, in the order of the stream.
void add_rows(const FieldRows& rows, DevicePointer<const double> x, DevicePointer<double> y, StreamHandle stream);
void add_rows(const FieldRows& rows, DevicePointer<const float> x, DevicePointer<float> y, StreamHandle stream);

/// to = from for these numbers, from one precision to the other; likewise.
void convert_rows(const FieldRows& rows, DevicePointer<double> to, DevicePointer<const float> from,
                  StreamHandle stream);
void convert_rows(const FieldRows& rows, DevicePointer<float> to, DevicePointer<const double> from,
                  StreamHandle stream);

/// to_i = (1 + x[orbit of pixel i % period]) from_i, in double, i = 0 .. count - 1; likewise.
void multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                     DevicePointer<const double> from, DevicePointer<double> to, Index count, StreamHandle stream);
void multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                     DevicePointer<const float> from, DevicePointer<float> to, Index count, StreamHandle stream);

}  // namespace armilla::kernels
