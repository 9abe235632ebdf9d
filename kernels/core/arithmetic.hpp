#pragma once

#include <armilla/core/types.hpp>

#include <kernels/core/pixel_rings.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

using core::Index;

/// y_i = a x_i + b y_i, i = 0 .. count - 1; on the device, in the order of the stream.
void combine(double a, const double* x, double b, double* y, Index count, StreamHandle stream);
void combine(float a, const float* x, float b, float* y, Index count, StreamHandle stream);

/// y_i = x_i y_i, i = 0 .. count - 1; likewise.
void multiply(const double* x, double* y, Index count, StreamHandle stream);
void multiply(const float* x, float* y, Index count, StreamHandle stream);

/// y_i = x_i y_i where x_i is not 0, else 0 whatever y_i is; likewise.
void mask(const double* x, double* y, Index count, StreamHandle stream);
void mask(const float* x, float* y, Index count, StreamHandle stream);

/// Rows of fields of complex numbers: row k of a field has numbers l = first[k] .. end - 1, at offset[k] + l of the
/// field. All pointers are to the device.
struct RowNumbers {
  const Index* first;
  const Index* offset;
  Index rows;
  Index end;
  Index fields;
  Index field_stride;

  Index count() const { return fields * rows * end; }
};

/// Number l of each row times factors[l], in double, all fields; likewise. x has the real and imaginary parts.
void multiply_rows(const RowNumbers& rows, const double* factors, double* x, StreamHandle stream);
void multiply_rows(const RowNumbers& rows, const double* factors, float* x, StreamHandle stream);

/// Numbers begin .. begin + length - 1 of fields of complex numbers: that of a component and map is `component *
/// component_stride + map * map_stride` behind that of the first.
struct FieldRows {
  Index begin, length;
  Index components, maps;
  Index component_stride, map_stride;

  Index count() const { return length * components * maps; }
};

/// y += x for these numbers; on the device, in the order of the stream.
void add_rows(const FieldRows& rows, const double* x, double* y, StreamHandle stream);
void add_rows(const FieldRows& rows, const float* x, float* y, StreamHandle stream);

/// to = from for these numbers, from one precision to the other; likewise.
void convert_rows(const FieldRows& rows, double* to, const float* from, StreamHandle stream);
void convert_rows(const FieldRows& rows, float* to, const double* from, StreamHandle stream);

/// to_i = (1 + x[orbit of pixel i % period]) from_i, in double, i = 0 .. count - 1; likewise.
void multiply_orbits(const PixelOrbits& orbits, const double* x, Index period, const double* from, double* to,
                     Index count, StreamHandle stream);
void multiply_orbits(const PixelOrbits& orbits, const double* x, Index period, const float* from, float* to,
                     Index count, StreamHandle stream);

}  // namespace armilla::kernels
