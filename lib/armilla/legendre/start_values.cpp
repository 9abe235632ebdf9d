#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/start_values.hpp>
#include <armilla/math/extended.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::legendre {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Below this a value of scale 0 is better carried one scale down, where the kernel steps over it.
constexpr double kSmall = 0x1p-70;

}  // namespace

StartValues::StartValues(std::span<const double> sin_theta, Index mmax) : pairs_(static_cast<Index>(sin_theta.size())) {
  // norm_m^2 = (2 m + 1)!! / (4 pi (2 m)!!).
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  long double square = 1 / (4 * pi);
  for (Index m = 0; m <= mmax; ++m) {
    if (m > 0) square *= static_cast<long double>(2 * m + 1) / static_cast<long double>(2 * m);
    norm_.push_back(static_cast<double>(m % 2 == 0 ? std::sqrt(square) : -std::sqrt(square)));
  }
  const Index highs = mmax / kLow + 1;
  low_.resize(at(kLow * pairs_));
  high_.resize(at(highs * pairs_));
  high_scale_.resize(at(highs * pairs_));
  for (Index p = 0; p < pairs_; ++p) {
    const auto s = static_cast<long double>(sin_theta[at(p)]);
    long double power = 1;
    for (Index j = 0; j < kLow; ++j, power *= s) low_[at(j * pairs_ + p)] = static_cast<double>(power);
    const auto step = math::power(s, kLow);
    math::Extended<long double> high{1, 0};
    for (Index j = 0; j < highs; ++j, high = high * step) {
      const Index scale = high.exponent > -kScaleBits / 2 ? 0 : (high.exponent - kScaleBits / 2) / kScaleBits;
      high_[at(j * pairs_ + p)] =
          static_cast<double>(std::ldexp(high.mantissa, static_cast<int>(high.exponent - scale * kScaleBits)));
      high_scale_[at(j * pairs_ + p)] = static_cast<double>(scale);
    }
  }
}

void StartValues::get(Index m, Index first, Index count, double* value, double* scale) const {
  const double norm = norm_[at(m)];
  const double* low = &low_[at(m % kLow * pairs_ + first)];
  const double* high = &high_[at(m / kLow * pairs_ + first)];
  const double* high_scale = &high_scale_[at(m / kLow * pairs_ + first)];
  for (Index i = 0; i < count; ++i) {
    const double product = norm * low[i] * high[i];
    const bool small = high_scale[i] == 0 && std::abs(product) < kSmall;
    value[i] = small ? product * 0x1p800 : product;
    scale[i] = small ? -1.0 : high_scale[i];
  }
}

Index StartValues::bytes() const {
  return static_cast<Index>((norm_.size() + low_.size() + high_.size() + high_scale_.size()) * sizeof(double));
}

}  // namespace armilla::legendre
