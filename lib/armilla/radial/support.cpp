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

// 25 times powers of two. FFTW plans these lengths deterministically, so all ranks obtain the same result.
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

SpectrumError::SpectrumError(const Kernel& kernel, std::span<const double> spectrum)
    : kernel_(kernel), spectrum_(spectrum.begin(), spectrum.end()), ends_{kernel.end()} {
  const std::vector<double> whole = legendre_transform(kernel, kPi, lmax());
  for (Index l = 0; l <= lmax(); ++l)
    power_ += static_cast<double>(2 * l + 1) * spectrum_[at(l)] * whole[at(l)] * whole[at(l)];
  if (!(power_ > 0)) throw core::InputError("the kernel is zero at all degrees where the spectrum is nonzero");
  beyond_.emplace_back(spectrum_.size(), 0.0);
}

double SpectrumError::at_cutoff(double cutoff) {
  // Starts from the nearest known cutoff beyond this one.
  std::size_t outer = 0;
  for (std::size_t k = 0; k < ends_.size(); ++k)
    if (ends_[k] >= cutoff && ends_[k] < ends_[outer]) outer = k;
  std::vector<double> beyond = legendre_transform(kernel_, cutoff, ends_[outer], lmax());
  double dropped = 0;
  for (Index l = 0; l <= lmax(); ++l) {
    beyond[at(l)] += beyond_[outer][at(l)];
    dropped += static_cast<double>(2 * l + 1) * spectrum_[at(l)] * beyond[at(l)] * beyond[at(l)];
  }
  ends_.push_back(std::min(cutoff, kernel_.end()));
  beyond_.push_back(std::move(beyond));
  return std::sqrt(dropped / power_);
}

double cutoff_of_error(const Kernel& kernel, double error, const std::function<double(double)>& error_at) {
  // The error may not decrease monotonically (kernels that change sign), so the search proceeds inwards until it is too
  // large.
  double inner = kernel.end();
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
  // If the kernel ends before the cutoff, the jump is the one at its end.
  if (cutoff >= kernel.end()) return std::abs(kernel.value(kernel.end() * (1 - 1e-12))) / most;
  return largest(kernel, cutoff, std::min(cutoff + kernel.scale() / 2, kPi)) / most;
}

double absolute_integral(const Kernel& kernel, double cutoff) { return integral_of(kernel, 0, cutoff, false); }

double mean_share(const Kernel& kernel, double cutoff) {
  const double absolute = absolute_integral(kernel, cutoff);
  const double sum = integrate([&](double angle) { return kernel.value(angle) * std::sin(angle); }, 0,
                               std::min(cutoff, kernel.end()), kernel.scale(), kernel.breaks());
  return absolute > 0 ? sum / absolute : 0;
}

std::optional<Index> band_limit(const Kernel& kernel, double error) {
  if (const auto degree = kernel.degree()) return degree;
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
