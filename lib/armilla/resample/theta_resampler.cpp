#include <armilla/core/error.hpp>
#include <armilla/fft/fast_length.hpp>
#include <armilla/math/spread_kernel.hpp>
#include <armilla/resample/half_step_phase.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace armilla::resample {

namespace {

using Complex = std::complex<double>;

constexpr long double kLongPi = std::numbers::pi_v<long double>;

// Number of points added at each end of both halves of the fine grid, so that no target needs special treatment.
constexpr Index kMargin = kKernelWidth / 2 + kWindowStep;
static_assert(kMargin % kWindowStep == 0);

// Size of a half of the fine grid with its margins: a multiple of the window step, so that both halves have the same
// alignment.
Index extended_pairs(Index fine_pairs) { return fine_pairs + 2 * kMargin; }

// Extends both halves, pairs 0 .. count - 1, beyond the pole by parity, and beyond the equator with the other half.
void extend(Halves fine, Index count, double sign) {
  for (Index i = 0; i < kMargin; ++i) {
    fine.north[-1 - i] = sign * fine.north[i];
    fine.south[-1 - i] = sign * fine.south[i];
    fine.north[count + i] = fine.south[count - 1 - i];
    fine.south[count + i] = fine.north[count - 1 - i];
  }
}

void fold(Halves fine, Index count, double sign) {
  for (Index i = 0; i < kMargin; ++i) {
    fine.north[i] += sign * fine.north[-1 - i];
    fine.south[i] += sign * fine.south[-1 - i];
    fine.south[count - 1 - i] += fine.north[count + i];
    fine.north[count - 1 - i] += fine.south[count + i];
  }
}

// The smallest fine_length is 32: 16 pairs.
static_assert(16 >= kMargin && 16 % kWindowStep == 0, "the smallest fine grid must contain the margins");

Index checked_lmax(Index lmax) {
  if (lmax < 0) throw core::InputError(fmt::format("resampling in theta: lmax = {} is negative", lmax));
  return lmax;
}

}  // namespace

FineGrid fine_grid_of(Index lmax) {
  const Index length = fft::fine_length(static_cast<Index>(std::ceil(kOversampling * static_cast<double>(lmax + 1))));
  return {length, kKernelWidth, static_cast<double>(length) / static_cast<double>(lmax + 1)};
}

ThetaResampler::Workspace::Workspace(const ThetaResampler& resampler)
    : first_(resampler.fine_plan_.length()),
      second_(resampler.fine_plan_.length()),
      fine_(2 * extended_pairs(resampler.fine_pairs())) {}

ThetaResampler::ThetaResampler(Index lmax, const FineGrid& fine, bool on_fine_grid)
    : lmax_(checked_lmax(lmax)),
      fine_grid_(fine),
      on_fine_grid_(on_fine_grid),
      source_plan_(fft::fast_length(lmax + 1)),
      fine_plan_(fine.length),
      source_twiddle_(lmax + 1),
      fine_twiddle_(lmax + 1),
      source_scaled_(lmax + 1),
      fine_scaled_(lmax + 1) {
  if (fine.length <= lmax || fine.length % kFineStep != 0 || fine.length < 4 * kFineStep)
    throw core::InputError(
        fmt::format("resampling in theta: a fine grid of {} rings for lmax = {}: use a multiple of {} above lmax",
                    fine.length, lmax, kFineStep));
  plan_coefficients();
}

ThetaResampler::ThetaResampler(Index lmax, const FineGrid& fine) : ThetaResampler(lmax, fine, true) {
  // Equivalent to the general method, with sums of one point each.
  weights_ = core::AlignedBuffer<double>(fine_pairs() * kWindow);
  std::fill_n(weights_.data(), weights_.size(), 0.0);
  for (Index i = 0; i < fine_pairs(); ++i) {
    first_point_.push_back((kMargin + i) / kWindowStep * kWindowStep);
    weights_.data()[i * kWindow + (kMargin + i) % kWindowStep] = 1;
  }
}

ThetaResampler::ThetaResampler(Index lmax, std::span<const double> target_cos, std::span<const double> target_sin)
    : ThetaResampler(lmax, fine_grid_of(checked_lmax(lmax)), false) {
  if (target_cos.size() != target_sin.size())
    throw core::InputError(fmt::format("resampling in theta: {} cosines but {} sines of target rings",
                                       target_cos.size(), target_sin.size()));
  plan_targets(target_cos, target_sin);
}

void ThetaResampler::plan_coefficients() {
  const Index source = source_plan_.length();
  const Index fine = fine_plan_.length();
  SourceThetas thetas = source_thetas(lmax_);
  source_cos_ = std::move(thetas.cosines);
  source_sin_ = std::move(thetas.sines);
  const std::vector<double> deconvolution = this->deconvolution();
  for (Index k = 0; k <= lmax_; ++k) {
    source_twiddle_.data()[k] = half_step_phase(k, source);
    fine_twiddle_.data()[k] = half_step_phase(k, fine);
    // Coefficients are (1 or 2) / source times a sum; writing the two cosines as exponentials gives a factor 1/2 each.
    const double norm = (k == 0 ? 0.25 : 0.5) / static_cast<double>(source);
    const double scale = norm * deconvolution[static_cast<std::size_t>(k)];
    source_scaled_.data()[k] = scale * source_twiddle_.data()[k];
    fine_scaled_.data()[k] = scale * fine_twiddle_.data()[k];
  }
}

std::vector<double> ThetaResampler::deconvolution() const {
  const math::SpreadKernel kernel(fine_grid_.width, fine_grid_.oversampling);
  return kernel.deconvolution(lmax_, 2 * fine_plan_.length());
}

void ThetaResampler::plan_targets(std::span<const double> target_cos, std::span<const double> target_sin) {
  const Index fine = fine_plan_.length();
  const math::SpreadKernel kernel(fine_grid_.width, fine_grid_.oversampling);
  weights_ = core::AlignedBuffer<double>(static_cast<Index>(target_cos.size()) * kWindow);
  double* weight = weights_.data();
  for (std::size_t i = 0; i < target_cos.size(); ++i) {
    const double cosine = target_cos[i];
    const double sine = target_sin[i];
    // A ring on the equator may have a cosine of the size of a rounding error, of either sign.
    if (!(cosine > -1e-15) || !(sine >= 0))
      throw core::InputError(
          fmt::format("resampling in theta: target ring {} with cos(theta) = {}, sin(theta) = {} is not in the "
                      "northern hemisphere",
                      i, cosine, sine));
    // Uses long double, because a rounding error of the position is an error of the phase of degree lmax.
    const long double theta = std::atan2(static_cast<long double>(sine), static_cast<long double>(cosine));
    const long double place = theta * static_cast<long double>(fine) / kLongPi - 0.5L;
    // Limits the window to the last position before the equator, in spite of rounding.
    const Index reach = kKernelWidth / 2;
    const auto first = kMargin + std::min(static_cast<Index>(std::ceil(place - static_cast<long double>(reach))),
                                          fine_pairs() - reach);
    const Index window = first / kWindowStep * kWindowStep;
    first_point_.push_back(window);
    for (Index k = window; k < window + kWindow; ++k) {
      const bool is_inside = k >= first && k < first + kKernelWidth;
      *weight++ = is_inside ? kernel.value(static_cast<double>(place - static_cast<long double>(k - kMargin))) : 0.0;
    }
  }
}

Index ThetaResampler::margin() { return kMargin; }

Halves ThetaResampler::extended(Workspace& workspace) const {
  Complex* north = workspace.fine_.data();
  return {north, north + extended_pairs(fine_pairs())};
}

Halves ThetaResampler::inner(Workspace& workspace) const {
  const Halves all = extended(workspace);
  return {all.north + kMargin, all.south + kMargin};
}

void ThetaResampler::source_to_coefficients(PoleParity parity, ConstRingColumn source, const Complex* scaled_twiddle,
                                            Complex* coefficients, Workspace& workspace) const {
  const double sign = sign_of(parity);
  rings_to_sequence(source, source_pairs(), sign, workspace.first_.data());
  source_plan_.forward(workspace.first_.data(), workspace.second_.data());
  fold_spectrum(workspace.second_.data(), source_plan_.length(), scaled_twiddle, sign, lmax_, coefficients);
}

void ThetaResampler::coefficients_to_fine(PoleParity parity, const Complex* coefficients, Workspace& workspace) const {
  const double sign = sign_of(parity);
  unfold_spectrum(coefficients, fine_plan_.length(), fine_twiddle_.data(), sign, lmax_, workspace.second_.data());
  fine_plan_.forward(workspace.second_.data(), workspace.first_.data());
  const Halves fine = inner(workspace);
  sequence_to_rings(workspace.first_.data(), fine_pairs(), sign, fine);
  extend(fine, fine_pairs(), sign);
}

void ThetaResampler::fine_to_coefficients(PoleParity parity, const Complex* scaled_twiddle, Complex* coefficients,
                                          Workspace& workspace) const {
  const double sign = sign_of(parity);
  const Halves fine = inner(workspace);
  fold(fine, fine_pairs(), sign);
  rings_to_sequence(fine, fine_pairs(), sign, workspace.first_.data());
  fine_plan_.forward(workspace.first_.data(), workspace.second_.data());
  fold_spectrum(workspace.second_.data(), fine_plan_.length(), scaled_twiddle, sign, lmax_, coefficients);
}

void ThetaResampler::coefficients_to_source(PoleParity parity, const Complex* coefficients, RingColumn source,
                                            Workspace& workspace) const {
  const double sign = sign_of(parity);
  unfold_spectrum(coefficients, source_plan_.length(), source_twiddle_.data(), sign, lmax_, workspace.second_.data());
  source_plan_.forward(workspace.second_.data(), workspace.first_.data());
  sequence_to_rings(workspace.first_.data(), source_pairs(), sign, source);
}

void ThetaResampler::synthesis(PoleParity parity, ConstRingColumn source, Workspace& workspace) const {
  source_to_coefficients(parity, source, source_scaled_.data(), workspace.first_.data(), workspace);
  coefficients_to_fine(parity, workspace.first_.data(), workspace);
}

void ThetaResampler::get_targets(Index begin, Index end, RingColumn targets, Workspace& workspace) const {
  if (on_fine_grid_) {
    const Halves fine = inner(workspace);
    for (Index i = begin; i < end; ++i) {
      targets.data[2 * (i - begin) * targets.stride] = fine.north[i];
      targets.data[(2 * (i - begin) + 1) * targets.stride] = fine.south[i];
    }
    return;
  }
  interpolate(convolution(), begin, end, extended(workspace), targets);
}

void ThetaResampler::get_rings(Index begin, Index end, const Hemisphere* hemisphere, Complex* rings, Index stride,
                               Workspace& workspace) const {
  interpolate_rings(convolution(), hemisphere, begin, end, extended(workspace), rings, stride);
}

void ThetaResampler::clear(Workspace& workspace) const {
  std::fill_n(workspace.fine_.data(), workspace.fine_.size(), Complex(0));
}

void ThetaResampler::add_targets(Index begin, Index end, ConstRingColumn targets, Workspace& workspace) const {
  if (on_fine_grid_) {
    const Halves fine = inner(workspace);
    for (Index i = begin; i < end; ++i) {
      fine.north[i] += targets.data[2 * (i - begin) * targets.stride];
      fine.south[i] += targets.data[(2 * (i - begin) + 1) * targets.stride];
    }
    return;
  }
  spread(convolution(), begin, end, targets, extended(workspace));
}

void ThetaResampler::add_rings(Index begin, Index end, const Hemisphere* hemisphere, const Complex* rings, Index stride,
                               Workspace& workspace) const {
  spread_rings(convolution(), hemisphere, begin, end, rings, stride, extended(workspace));
}

void ThetaResampler::adjoint(PoleParity parity, RingColumn source, Workspace& workspace) const {
  fine_to_coefficients(parity, fine_scaled_.data(), workspace.first_.data(), workspace);
  coefficients_to_source(parity, workspace.first_.data(), source, workspace);
}

SourceThetas source_thetas(Index lmax) {
  const Index source = fft::fast_length(lmax + 1);
  SourceThetas thetas;
  for (Index j = 0; j < source / 2; ++j) {
    // theta and its distance from the equator, both exact, so that cosine and sine keep their full accuracy.
    const long double unit = kLongPi / static_cast<long double>(2 * source);
    thetas.sines.push_back(static_cast<double>(std::sin(unit * static_cast<long double>(2 * j + 1))));
    thetas.cosines.push_back(static_cast<double>(std::sin(unit * static_cast<long double>(source - 2 * j - 1))));
  }
  return thetas;
}

ResamplerSize resampler_size(Index lmax, const FineGrid& fine) {
  return {.source_pairs = fft::fast_length(lmax + 1) / 2, .fine_pairs = fine.length / 2};
}

core::MemoryEstimate ThetaResampler::memory(Index lmax, Index target_pairs, Index workspaces, const FineGrid& grid) {
  constexpr auto kComplex = static_cast<Index>(sizeof(Complex));
  constexpr auto kReal = static_cast<Index>(sizeof(double));
  const Index fine = grid.length;
  return {.tables = fft::fast_length(lmax + 1) * kReal + 4 * (lmax + 1) * kComplex +
                    target_pairs * (kWindow * kReal + static_cast<Index>(sizeof(Index))),
          .kept = workspaces * 2 * (fine + extended_pairs(fine / 2)) * kComplex};
}

}  // namespace armilla::resample
