#include <armilla/resample/cost_model.hpp>
#include <armilla/resample/fast_length.hpp>
#include <armilla/resample/spread_kernel.hpp>

#include <cmath>

namespace armilla::resample {

namespace {

constexpr double kFmaPerDegree = 1.02;

// Rate of the Legendre stage over that of FFTs with the passes between them, and over that of interpolation, in
// floating-point operations: measured at lmax 1023 to 6143 on cores with AVX-512, where the Legendre stage does best.
constexpr double kFftSlowness = 8;
constexpr double kInterpolationSlowness = 4;

// Resampling is to win clearly, since the figures above differ from machine to machine.
constexpr double kMargin = 1.2;

// Below this, planning and tables weigh more than what is saved.
constexpr Index kLeastDegree = 512;

double fft_operations(double length) { return 5 * length * std::log2(length); }

}  // namespace

bool pays(Index lmax, Index target_pairs) {
  if (lmax < kLeastDegree) return false;
  const Index source = fast_length(lmax + 1);
  const double saved_pairs = static_cast<double>(target_pairs) - 0.5 * static_cast<double>(source);
  const double saved = 2 * kFmaPerDegree * static_cast<double>(lmax + 1) * saved_pairs;
  const double n = static_cast<double>(source);
  const double ffts = fft_operations(n) + fft_operations(kOversampling * n);
  const double interpolation = 8.0 * kKernelWidth * static_cast<double>(target_pairs);
  return saved > kMargin * (kFftSlowness * ffts + kInterpolationSlowness * interpolation);
}

}  // namespace armilla::resample
