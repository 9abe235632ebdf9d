#pragma once

#include <armilla/fft/split_buffer.hpp>

#include <complex>

namespace armilla::fft {

/// out_i = in.re_i + i in.im_i for i < count; arrays may have any alignment.
void interleave(Split<const float> in, Index count, std::complex<float>* out);
void interleave(Split<const double> in, Index count, std::complex<double>* out);

/// The inverse. `streamed` uses non-temporal stores if vectors are whole cache lines and both arrays are aligned to
/// them.
void deinterleave(const std::complex<float>* in, Index count, Split<float> out, bool streamed);
void deinterleave(const std::complex<double>* in, Index count, Split<double> out, bool streamed);

}  // namespace armilla::fft
