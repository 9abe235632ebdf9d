#pragma once

#include <armilla/core/types.hpp>

namespace armilla::fft {

using core::Index;

/// The smallest length >= `least` of the form 4 * 2^a 3^b 5^c 7^d. FFTs of this length are fast. Because it is a
/// multiple of 4, the number of pairs of such rings is even.
Index fast_length(Index least);

/// The smallest length >= `least`, at least 32, of the form 4, 5, 6 or 7 times a power of two. FFTW is faster for these
/// lengths, so that slightly more points cost less (n = 10240 takes 31 us, 10500 takes 39).
Index fine_length(Index least);

}  // namespace armilla::fft
