#include <armilla/fft/fast_length.hpp>

namespace armilla::fft {

Index fast_length(Index least) {
  constexpr Index step = 4;
  for (Index n = (least + step - 1) / step;; ++n) {
    Index rest = n;
    for (const Index prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return step * n;
  }
}

Index fine_length(Index least) {
  for (Index power = 8;; power *= 2)
    for (const Index factor : {4, 5, 6, 7})
      if (factor * power >= least) return factor * power;
}

}  // namespace armilla::fft
