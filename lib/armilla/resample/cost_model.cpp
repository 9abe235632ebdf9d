#include <armilla/fft/fast_length.hpp>
#include <armilla/resample/convolution.hpp>
#include <armilla/resample/cost_model.hpp>

#include <cmath>

namespace armilla::resample {

namespace {

// Cost of the scalar recurrence per m and pair of rings, divided by lmax + 1: 3 FMA per degree, reduced by the triangle
// of m and the polar cut.
constexpr double kFmaPerDegree = 1.05;

// The following costs were measured at lmax 1023 to 6143 on HEALPix grids, on cores with 56 FMA/ns. They are in units
// of the FMA of a Legendre stage that runs at 87% of that peak (docs/decisions/0008-theta-resampling.md). Each FFT
// takes 0.26 to 0.35 ns per n log2(n), including the passes over memory before and after it.
constexpr double kFmaPerFftUnit = 15;
// Each target takes 5.3 to 6 ns, of which the polar cut saves 25%.
constexpr double kFmaPerTarget = 210;

// Resampling must be clearly faster, because the costs above vary between machines.
constexpr double kMinGain = 1.1;

// For smaller lmax, planning and tables cost more than resampling saves.
constexpr Index kMinDegree = 512;

double fft_units(Index length) { return static_cast<double>(length) * std::log2(static_cast<double>(length)); }

}  // namespace

double resampling_fma(Index lmax, Index target_pairs, TargetRings target) {
  const Index source = fft::fast_length(lmax + 1);
  const Index fine = fft::fine_length(static_cast<Index>(std::ceil(kOversampling * static_cast<double>(lmax + 1))));
  const double ffts = kFmaPerFftUnit * (fft_units(source) + fft_units(fine));
  return target == TargetRings::kEquidistant ? ffts : ffts + kFmaPerTarget * static_cast<double>(target_pairs);
}

bool pays(Index lmax, Index target_pairs) {
  if (lmax < kMinDegree) return false;
  const auto degrees = static_cast<double>(lmax + 1);
  const double saved = kFmaPerDegree * degrees * static_cast<double>(target_pairs - fft::fast_length(lmax + 1) / 2);
  return saved > kMinGain * resampling_fma(lmax, target_pairs, TargetRings::kAny);
}

}  // namespace armilla::resample
