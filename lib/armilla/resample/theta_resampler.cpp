#include <armilla/core/error.hpp>
#include <armilla/resample/spread_kernel.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace armilla::resample {

namespace {

using Complex = std::complex<double>;

constexpr long double kLongPi = std::numbers::pi_v<long double>;

// Points that the fine grid is extended by at either end, so that no target needs a case of its own.
constexpr Index kMargin = kKernelWidth / 2;

constexpr double sign_of(PoleParity parity) { return parity == PoleParity::kEven ? 1.0 : -1.0; }

// Equidistant rings x_j, j = 0 .. 2 pairs - 1, as pairs (x_j, x_{2 pairs - 1 - j}), and the order in which one FFT
// gives their cosine transform (Makhoul 1980): even j ascending, then odd j descending. A sine transform is the cosine
// transform of (-1)^j x_j with its coefficients in reverse, hence `sign` on the odd j.
void pairs_to_fft_order(const PairValue* pairs, Index count, double sign, Complex* out) {
  for (Index n = 0; 2 * n < count; ++n) {
    const PairValue& even = pairs[2 * n];
    const PairValue& odd = pairs[2 * n + 1];
    out[n] = even.north();
    out[count + n] = sign * even.south();
    out[2 * count - 1 - n] = sign * odd.north();
    out[count - 1 - n] = odd.south();
  }
}

PairValue pair_of(Complex north, Complex south) { return {{north.real(), north.imag(), south.real(), south.imag()}}; }

void fft_order_to_pairs(const Complex* in, Index count, double sign, PairValue* pairs) {
  for (Index n = 0; 2 * n < count; ++n) {
    pairs[2 * n] = pair_of(in[n], sign * in[count + n]);
    pairs[2 * n + 1] = pair_of(sign * in[2 * count - 1 - n], in[count - 1 - n]);
  }
}

// The fine grid, pairs 0 .. count - 1, goes on past the pole by parity, and past the equator with north and south
// exchanged.
void extend(PairValue* fine, Index count, double sign) {
  for (Index i = 0; i < kMargin; ++i) {
    const PairValue& pole = fine[i];
    const PairValue& equator = fine[count - 1 - i];
    for (int c = 0; c < 4; ++c) {
      fine[-1 - i].part[c] = sign * pole.part[c];
      fine[count + i].part[c] = equator.part[c ^ 2];
    }
  }
}

void fold(PairValue* fine, Index count, double sign) {
  for (Index i = 0; i < kMargin; ++i) {
    for (int c = 0; c < 4; ++c) {
      fine[i].part[c] += sign * fine[-1 - i].part[c];
      fine[count - 1 - i].part[c] += fine[count + i].part[c ^ 2];
    }
  }
}

// The step between the FFTs, in two halves. Complex values are taken as their doubles (re at 2 k, im at 2 k + 1), which
// is what lets compilers vectorise these loops. With w_k the twiddle of the length at hand,
// gather: out_k = scale_k (head w_k x_k + tail conj(w_k) x_{length - k}), k = 0 .. lmax, x_length meaning x_0.
void gather(const Complex* values, Index length, const double* twiddle, const double* scale, double head, double tail,
            Index lmax, Complex* result) {
  const double* x = reinterpret_cast<const double*>(values);
  double* out = reinterpret_cast<double*>(result);
  for (int c = 0; c < 2; ++c) out[c] = scale[0] * (head + tail) * x[c];
  const double* mirror = x + 2 * length;
#pragma omp simd
  for (Index k = 1; k <= lmax; ++k) {
    const double re = scale[k] * twiddle[2 * k];
    const double im = scale[k] * twiddle[2 * k + 1];
    const double sum_re = head * x[2 * k] + tail * mirror[-2 * k];
    const double sum_im = head * x[2 * k + 1] + tail * mirror[1 - 2 * k];
    const double difference_re = head * x[2 * k] - tail * mirror[-2 * k];
    const double difference_im = head * x[2 * k + 1] - tail * mirror[1 - 2 * k];
    out[2 * k] = re * sum_re - im * difference_im;
    out[2 * k + 1] = re * sum_im + im * difference_re;
  }
}

// scatter, its transpose without the scale: x_k += head w_k in_k, x_{length - k} += tail conj(w_k) in_k, from x = 0.
void scatter(const Complex* values, Index length, const double* twiddle, double head, double tail, Index lmax,
             Complex* result) {
  const double* in = reinterpret_cast<const double*>(values);
  double* x = reinterpret_cast<double*>(result);
  for (int c = 0; c < 2; ++c) x[c] = (head + tail) * in[c];
#pragma omp simd
  for (Index k = 1; k <= lmax; ++k) {
    const double re = head * twiddle[2 * k];
    const double im = head * twiddle[2 * k + 1];
    x[2 * k] = re * in[2 * k] - im * in[2 * k + 1];
    x[2 * k + 1] = re * in[2 * k + 1] + im * in[2 * k];
  }
  std::fill(x + 2 * (lmax + 1), x + 2 * length, 0.0);
  double* mirror = x + 2 * length;
#pragma omp simd
  for (Index k = 1; k <= lmax; ++k) {
    const double re = tail * twiddle[2 * k];
    const double im = tail * twiddle[2 * k + 1];
    mirror[-2 * k] += re * in[2 * k] + im * in[2 * k + 1];
    mirror[1 - 2 * k] += re * in[2 * k + 1] - im * in[2 * k];
  }
}

Index fine_length(Index lmax) {
  const auto least = static_cast<Index>(std::ceil(kOversampling * static_cast<double>(lmax + 1)));
  return fast_length(std::max(least, 2 * static_cast<Index>(kKernelWidth)));
}

Index checked_lmax(Index lmax) {
  if (lmax < 0) throw core::InputError(fmt::format("resampling in theta: lmax = {} is negative", lmax));
  return lmax;
}

}  // namespace

ThetaResampler::Workspace::Workspace(const ThetaResampler& resampler)
    : first_(resampler.fine_plan_.length()),
      second_(resampler.fine_plan_.length()),
      fine_(resampler.fine_pairs() + 2 * kMargin) {}

ThetaResampler::ThetaResampler(Index lmax, std::span<const double> target_cos, std::span<const double> target_sin)
    : lmax_(checked_lmax(lmax)), source_plan_(fast_length(lmax + 1)), fine_plan_(fine_length(lmax)) {
  if (target_cos.size() != target_sin.size())
    throw core::InputError(fmt::format("resampling in theta: {} cosines but {} sines of target rings",
                                       target_cos.size(), target_sin.size()));
  plan_coefficients();
  plan_targets(target_cos, target_sin);
}

void ThetaResampler::plan_coefficients() {
  const Index source = source_plan_.length();
  const Index fine = fine_plan_.length();
  for (Index j = 0; j < source_pairs(); ++j) {
    // theta and its distance from the equator, each exact, so that cosine and sine both keep their digits.
    const long double unit = kLongPi / static_cast<long double>(2 * source);
    source_sin_.push_back(static_cast<double>(std::sin(unit * static_cast<long double>(2 * j + 1))));
    source_cos_.push_back(static_cast<double>(std::sin(unit * static_cast<long double>(source - 2 * j - 1))));
  }
  const SpreadKernel kernel(static_cast<double>(fine) / static_cast<double>(lmax_ + 1));
  const auto append_twiddle = [](std::vector<double>& table, Index k, Index length) {
    const long double angle = kLongPi * static_cast<long double>(k) / static_cast<long double>(2 * length);
    table.push_back(static_cast<double>(std::cos(angle)));
    table.push_back(static_cast<double>(-std::sin(angle)));
  };
  for (Index k = 0; k <= lmax_; ++k) {
    append_twiddle(source_twiddle_, k, source);
    append_twiddle(fine_twiddle_, k, fine);
    // Coefficients are (1 or 2) / source times a sum; a half comes from each of the two cosines written as
    // exponentials.
    const double norm = (k == 0 ? 0.25 : 0.5) / static_cast<double>(source);
    const double frequency = core::kPi * static_cast<double>(k) / static_cast<double>(fine);
    scale_.push_back(norm / kernel.transform(frequency));
  }
}

void ThetaResampler::plan_targets(std::span<const double> target_cos, std::span<const double> target_sin) {
  const Index fine = fine_plan_.length();
  const SpreadKernel kernel(static_cast<double>(fine) / static_cast<double>(lmax_ + 1));
  weights_ = core::AlignedBuffer<double>(static_cast<Index>(target_cos.size()) * kKernelWidth);
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
    // In long double: a rounding of the place is an error of the phase of degree lmax.
    const long double theta = std::atan2(static_cast<long double>(sine), static_cast<long double>(cosine));
    const long double place = theta * static_cast<long double>(fine) / kLongPi - 0.5L;
    // At most the last place before the equator, whatever the rounding.
    const auto first =
        std::min(static_cast<Index>(std::ceil(place - static_cast<long double>(kMargin))), fine_pairs() - kMargin);
    first_point_.push_back(first + kMargin);
    for (int k = 0; k < kKernelWidth; ++k)
      *weight++ = kernel.value(static_cast<double>(place - static_cast<long double>(first + k)));
  }
}

Convolution ThetaResampler::convolution() const { return {target_pairs(), first_point_.data(), weights_.data()}; }

void ThetaResampler::synthesis(PoleParity parity, const PairValue* source, PairValue* target, Index first_target,
                               Workspace& workspace) const {
  const double sign = sign_of(parity);
  Complex* a = workspace.first_.data();
  Complex* b = workspace.second_.data();
  pairs_to_fft_order(source, source_pairs(), sign, a);
  source_plan_.run(a, b);
  gather(b, source_plan_.length(), source_twiddle_.data(), scale_.data(), 1.0, sign, lmax_, a);
  scatter(a, fine_plan_.length(), fine_twiddle_.data(), sign, 1.0, lmax_, b);
  fine_plan_.run(b, a);
  PairValue* fine = workspace.fine_.data() + kMargin;
  fft_order_to_pairs(a, fine_pairs(), sign, fine);
  extend(fine, fine_pairs(), sign);
  interpolate(convolution(), first_target, workspace.fine_.data(), target);
}

void ThetaResampler::adjoint(PoleParity parity, const PairValue* target, PairValue* source, Index first_target,
                             Workspace& workspace) const {
  const double sign = sign_of(parity);
  Complex* a = workspace.first_.data();
  Complex* b = workspace.second_.data();
  std::fill(workspace.fine_.data(), workspace.fine_.data() + workspace.fine_.size(), PairValue{});
  spread(convolution(), first_target, target, workspace.fine_.data());
  PairValue* fine = workspace.fine_.data() + kMargin;
  fold(fine, fine_pairs(), sign);
  pairs_to_fft_order(fine, fine_pairs(), sign, a);
  fine_plan_.run(a, b);
  gather(b, fine_plan_.length(), fine_twiddle_.data(), scale_.data(), sign, 1.0, lmax_, a);
  scatter(a, source_plan_.length(), source_twiddle_.data(), 1.0, sign, lmax_, b);
  source_plan_.run(b, a);
  fft_order_to_pairs(a, source_pairs(), sign, source);
}

}  // namespace armilla::resample
