#include <armilla/math/sine_cosine.hpp>

namespace armilla::math {

namespace {

// Taylor's series up to pi / 4. The first omitted terms are below 1e-22.
constexpr int kSineTerms = 11;

SineCosine sine_cosine_series(long double angle) {
  const long double square = angle * angle;
  long double sine = 1, cosine = 1;
  for (int k = kSineTerms; k > 0; --k) {
    const auto even = static_cast<long double>(2 * k);
    sine = 1 - square / (even * (even + 1)) * sine;
    cosine = 1 - square / (even * (even - 1)) * cosine;
  }
  return {angle * sine, cosine};
}

}  // namespace

SineCosine sine_cosine(long double angle) {
  // pi / 2 in two parts, so that the complement of an angle has no rounding error but its own.
  constexpr long double kHigh = 0x1.921fb54442d1846ap+0L, kLow = -2.5082788063341660118e-20L;
  if (angle <= kHigh / 2) return sine_cosine_series(angle);
  const SineCosine complement = sine_cosine_series((kHigh - angle) + kLow);
  return {complement.cosine, complement.sine};
}

}  // namespace armilla::math
