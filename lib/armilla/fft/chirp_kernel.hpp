#pragma once

#include <armilla/fft/split_fft.hpp>

namespace armilla::fft {

/// part r of `parts` (1 or 4): out[r]_j = in_(parts j + r) chirp_j for j < count; the parts of `out` are `stride`
/// apart.
void modulate(Split<const float> in, Split<const float> chirp, Index parts, Index count, Index stride,
              Split<float> out);
void modulate(Split<const double> in, Split<const double> chirp, Index parts, Index count, Index stride,
              Split<double> out);

/// z_t = z_t filter_t for t < count.
void multiply(Split<const float> filter, Index count, Split<float> z);
void multiply(Split<const double> filter, Index count, Split<double> z);

/// The last step of `parts` (1 or 4) interleaved transforms: part r of `in`, `stride` apart, times chirp_k twiddle_k^r,
/// and the radix-4 butterfly; out_(q count + k) for k < count.
void combine(Split<const float> in, Split<const float> chirp, Split<const float> twiddle, Index parts, Index count,
             Index stride, Split<float> out);
void combine(Split<const double> in, Split<const double> chirp, Split<const double> twiddle, Index parts, Index count,
             Index stride, Split<double> out);

}  // namespace armilla::fft
