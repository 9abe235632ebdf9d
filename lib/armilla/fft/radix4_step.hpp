#pragma once

#include <armilla/fft/split_buffer.hpp>

#include <complex>

namespace armilla::fft {

/// The last step of four interleaved transforms of length n = `quarter`, which stand one after the other in z: replaces
/// them by the transform of length 4 n. twiddle_((r - 1) n + k) = exp(-2 pi i r k / (4 n)) for r = 1, 2, 3 and k < n.
void radix4_step(Split<const float> twiddle, Index quarter, std::complex<float>* z);
void radix4_step(Split<const double> twiddle, Index quarter, std::complex<double>* z);

}  // namespace armilla::fft
