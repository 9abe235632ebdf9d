#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/error.hpp>
#include <armilla/fft/complex_plan.hpp>
#include <armilla/radial/legendre_series.hpp>
#include <armilla/radial/support.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

// 25 times powers of two: lengths that FFTW plans by arithmetic alone, so that all ranks find the same.
constexpr Index kShortestCircle = 50;
constexpr Index kLongestCircle = kShortestCircle << 14;
constexpr Index kStepSamples = 64;

double integral_of(const Kernel& kernel, double first, double last, bool square) {
  const auto breaks = kernel.breaks();
  return integrate(
      [&](double angle) {
        const double value = kernel.value(angle);
        return (square ? value * value : std::abs(value)) * std::sin(angle);
      },
      first, std::min(last, kernel.end()), kernel.scale(), breaks);
}

/// The largest |K| on first .. last.
double largest(const Kernel& kernel, double first, double last) {
  double most = 0;
  for (Index k = 0; k <= kStepSamples; ++k)
    most = std::max(most, std::abs(kernel.value(first + (last - first) * static_cast<double>(k) / kStepSamples)));
  return most;
}

}  // namespace

double cutoff_error(const Kernel& kernel, double cutoff) {
  double worse = 0;
  for (bool square : {true, false}) {
    const double beyond = integral_of(kernel, cutoff, kPi, square);
    const double whole = beyond + integral_of(kernel, 0, cutoff, square);
    const double share = whole > 0 ? beyond / whole : 0;
    worse = std::max(worse, square ? std::sqrt(share) : share);
  }
  return worse;
}

double cutoff_error(const Kernel& kernel, double cutoff, std::span<const double> spectrum) {
  const auto lmax = static_cast<Index>(spectrum.size()) - 1;
  const auto whole = legendre_transform(kernel, kPi, lmax), cut = legendre_transform(kernel, cutoff, lmax);
  double dropped = 0, power = 0;
  for (Index l = 0; l <= lmax; ++l) {
    const double weight = static_cast<double>(2 * l + 1) * spectrum[at(l)];
    dropped += weight * (whole[at(l)] - cut[at(l)]) * (whole[at(l)] - cut[at(l)]);
    power += weight * whole[at(l)] * whole[at(l)];
  }
  if (!(power > 0)) throw core::InputError("the kernel is zero at all degrees where the spectrum is not");
  return std::sqrt(dropped / power);
}

double cutoff_of_error(const Kernel& kernel, double error, const std::optional<std::vector<double>>& spectrum) {
  const auto error_at = [&](double cutoff) {
    return spectrum ? cutoff_error(kernel, cutoff, *spectrum) : cutoff_error(kernel, cutoff);
  };
  // The error need not fall everywhere (kernels that change sign): from outside in, until it is too large.
  double last = kernel.end();
  double inner = last;
  while (inner > 1e-8 && error_at(inner / 1.25) <= error) inner /= 1.25;
  double low = inner / 1.25;
  for (int step = 0; step < 6; ++step) {
    const double middle = std::sqrt(low * inner);
    (error_at(middle) <= error ? inner : low) = middle;
  }
  return inner;
}

double step_at(const Kernel& kernel, double cutoff) {
  const double most = largest(kernel, 0, std::min(cutoff, kernel.end()));
  if (most == 0 || std::min(cutoff, kernel.end()) >= kPi) return 0;
  // Where the kernel ends by itself, the step is the one there.
  if (cutoff >= kernel.end()) return std::abs(kernel.value(kernel.end() * (1 - 1e-12))) / most;
  return largest(kernel, cutoff, std::min(cutoff + kernel.scale() / 2, kPi)) / most;
}

double mean_share(const Kernel& kernel, double cutoff) {
  const double absolute = integral_of(kernel, 0, cutoff, false);
  const double sum = integrate([&](double angle) { return kernel.value(angle) * std::sin(angle); }, 0,
                               std::min(cutoff, kernel.end()), kernel.scale(), kernel.breaks());
  return absolute > 0 ? sum / absolute : 0;
}

std::optional<Index> band_limit(const Kernel& kernel, double error) {
  for (Index length = kShortestCircle; length <= kLongestCircle; length *= 2) {
    core::AlignedVector<std::complex<double>> values(at(length)), modes(at(length));
    for (Index k = 0; k < length; ++k)
      values[at(k)] =
          kernel.value(2 * kPi * static_cast<double>(std::min(k, length - k)) / static_cast<double>(length));
    fft::ComplexPlan<double>(length).forward(values.data(), modes.data());
    double most = 0;
    for (Index m = 0; m <= length / 2; ++m) most = std::max(most, std::abs(modes[at(m)].real()));
    Index last = length / 2;
    while (last > 0 && std::abs(modes[at(last)].real()) <= error * most) --last;
    if (most == 0) return 0;
    if (last <= length / 4) return last + 1;
  }
  return std::nullopt;
}

Index row_modes(Index degree, double g) {
  const double middle = static_cast<double>(degree) * g;
  return std::min(degree, static_cast<Index>(std::ceil(middle + 6 * std::cbrt(middle)))) + 8;
}

}  // namespace armilla::radial
