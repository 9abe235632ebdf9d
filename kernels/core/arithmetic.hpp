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

}  // namespace armilla::kernels
