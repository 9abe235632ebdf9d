#pragma once

#include <armilla/fft/split_buffer.hpp>

#include <complex>

namespace armilla::fft {

/// Part r of `parts` (1 or 4): out[r]_j = in_(parts j + r) chirp_j for j < count. The parts of `out` are `stride`
/// apart.
void modulate(const std::complex<float>* in, Split<const float> chirp, Index parts, Index count, Index stride,
              std::complex<float>* out);
void modulate(const std::complex<double>* in, Split<const double> chirp, Index parts, Index count, Index stride,
              std::complex<double>* out);

/// z_t = z_t filter_t for t < count, with real and imaginary part exchanged. The next forward transform is therefore
/// the inverse transform, with exchanged parts.
void multiply(Split<const float> filter, Index count, std::complex<float>* z);
void multiply(Split<const double> filter, Index count, std::complex<double>* z);

/// The last step of `parts` (1 or 4) interleaved transforms. Multiplies part r of `in`, `stride` apart and with real
/// and imaginary part exchanged, by chirp_k twiddle_k^r. The radix-4 butterfly gives out_(q count + k) for k < count.
void combine(const std::complex<float>* in, Split<const float> chirp, Split<const float> twiddle, Index parts,
             Index count, Index stride, std::complex<float>* out);
void combine(const std::complex<double>* in, Split<const double> chirp, Split<const double> twiddle, Index parts,
             Index count, Index stride, std::complex<double>* out);

}  // namespace armilla::fft
