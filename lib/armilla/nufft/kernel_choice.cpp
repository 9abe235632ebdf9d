#include <armilla/core/error.hpp>
#include <armilla/fft/fast_length.hpp>
#include <armilla/nufft/kernel_choice.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace armilla::nufft {

namespace {

constexpr double kMinOversampling = 1.2;
constexpr double kMaxOversampling = 2;
constexpr double kErrorShare = 0.1;
constexpr double kLargestAccuracy = 0.5;
// In the smallest fine grid, the windows of a cell must not overlap each other by wrapping.
constexpr Index kMinFineLength = 64;

// Cost in ns on one Zen 5 core at lmax 2047. FFTs: per n log2(n), where a real FFT counts half (0.11 to 0.15 for FFTW,
// and the same again for passes over memory). Points: per point, the mean of both directions.
constexpr double kFftUnit = 0.25;
constexpr double kPoint = 3.5;
constexpr double kPointAndSample = 0.1;
constexpr double kPointsPerCoefficient = 3;

double cost(Index lmax, int width, Index fine_length) {
  const auto degrees = static_cast<double>(lmax + 1);
  const auto fine = static_cast<double>(fine_length);
  // lmax + 1 complex columns of the doubled sphere, and half as many rows, which are real.
  const double fft_units = fine * std::log2(fine) * (degrees + 0.25 * fine);
  const double points = kPointsPerCoefficient * degrees * degrees;
  return kFftUnit * fft_units + points * (kPoint + kPointAndSample * width * width);
}

// A multiple of 32. Lengths with fewer factors of two take up to 40% longer per n log2(n): 6804 and 7500 points
// compared with 6720 and 7680.
Index fine_length_of(double least) {
  constexpr Index kStep = 8;
  const Index length = std::max(kMinFineLength, static_cast<Index>(std::ceil(least)));
  return kStep * fft::fast_length((length + kStep - 1) / kStep);
}

// The smallest oversampling for which this width reaches an error, or more than kMaxOversampling if there is none.
// kernel_error decreases with oversampling.
double least_oversampling(int width, double error) {
  double low = kMinOversampling, high = kMaxOversampling;
  if (kernel_error(width, low) <= error) return low;
  if (kernel_error(width, high) > error) return 2 * kMaxOversampling;
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    (kernel_error(width, middle) <= error ? high : low) = middle;
  }
  return high;
}

}  // namespace

double kernel_error(int width, double oversampling) {
  // 2.3 at oversampling 1.2, 7.5 at 2. At the maximum width, beta is optimal for oversampling 1.66, which the resample
  // module uses.
  const double factor = (1 + 6.5 * (oversampling - 1)) * (width == kMaxWidth ? 1.5 : 1.0);
  return factor * std::exp(-core::kPi * width * std::sqrt(1 - 1 / oversampling));
}

double best_accuracy(Index lmax, core::Precision precision) {
  if (precision == core::Precision::kSingle) return 1e-6;
  return std::max(2e-13, 1e-15 * static_cast<double>(lmax));
}

KernelChoice choose_kernel(Index lmax, double accuracy, core::Precision precision) {
  if (lmax < 0) throw core::InputError(fmt::format("transform at points: lmax = {} is negative", lmax));
  const double best = best_accuracy(lmax, precision);
  if (!(accuracy >= best))
    throw core::InputError(
        fmt::format("transform at points: accuracy = {} cannot be reached: the best for lmax {} in {} precision is {}",
                    accuracy, lmax, precision == core::Precision::kSingle ? "single" : "double", best));
  if (accuracy > kLargestAccuracy)
    throw core::InputError(fmt::format("transform at points: accuracy = {} exceeds the largest supported value {}",
                                       accuracy, kLargestAccuracy));
  const auto degrees = static_cast<double>(2 * (lmax + 1));
  KernelChoice choice;
  double least_cost = std::numeric_limits<double>::infinity();
  for (int width = kMinWidth; width <= kMaxWidth; ++width) {
    const double oversampling = least_oversampling(width, kErrorShare * accuracy);
    if (oversampling > kMaxOversampling) continue;
    const Index length = fine_length_of(oversampling * degrees);
    const double found = cost(lmax, width, length);
    if (found >= least_cost) continue;
    least_cost = found;
    choice = {.width = width,
              .fine_length = length,
              .oversampling = std::min(kMaxOversampling, static_cast<double>(length) / degrees)};
  }
  if (choice.width == 0)
    throw core::InternalError(fmt::format("no kernel for lmax {} and accuracy {}", lmax, accuracy));
  choice.expected_error = kernel_error(choice.width, choice.oversampling);
  return choice;
}

}  // namespace armilla::nufft
