#pragma once

#include <armilla/core/types.hpp>

namespace armilla::fft {

using core::Index;

/// The least length >= `least` of the form 4 * 2^a 3^b 5^c 7^d: FFTs are fast there, and pairs of its rings pair up
/// again.
Index fast_length(Index least);

/// The least length >= `least` of the form 4, 5, 6 or 7 times a power of two, at least 32: FFTW serves these
/// better, so that on the whole a few points more cost less (n = 10240 takes 31 us where 10500 takes 39).
Index fine_length(Index least);

}  // namespace armilla::fft
