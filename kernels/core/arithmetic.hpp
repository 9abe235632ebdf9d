#pragma once

#include <armilla/core/types.hpp>

#include <kernels/core/stream.hpp>

namespace armilla::kernels {

using core::Index;

/// to_i = from_i, i = 0 .. count - 1, from one precision to the other; on the device, in the order of the stream.
void convert(double* to, const float* from, Index count, StreamHandle stream);
void convert(float* to, const double* from, Index count, StreamHandle stream);

/// y_i = a x_i + b y_i, i = 0 .. count - 1; likewise.
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

}  // namespace armilla::kernels
