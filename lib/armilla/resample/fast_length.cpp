#include <armilla/resample/fast_length.hpp>

namespace armilla::resample {

Index fast_length(Index least) {
  constexpr Index step = 4;
  for (Index n = (least + step - 1) / step;; ++n) {
    Index rest = n;
    for (const Index prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return step * n;
  }
}

}  // namespace armilla::resample
