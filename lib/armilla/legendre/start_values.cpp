// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/start_values.cpp"

#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/start_values.hpp>
#include <armilla/math/extended.hpp>
#include <armilla/math/wigner.hpp>

#include <algorithm>
#include <cmath>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/simd-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Products of powers, in whole vectors. Values with scale 0 that are below `least` get scale -1, for which the kernels
// skip steps.
void multiply_powers(const PowerTable::Rows& power, double factor, double least_value, Index count, double* value,
                     double* scale) {
  const Tag d;
  const Vec norm = hn::Set(d, factor);
  const Vec least = hn::Set(d, least_value);
  const Vec up = hn::Set(d, 1 / kDown);
  for (Index i = 0; i < count; i += lane_count()) {
    const Vec product = hn::Mul(hn::Mul(norm, hn::LoadU(d, power.low + i)), hn::LoadU(d, power.high + i));
    const Vec s = hn::LoadU(d, power.scale + i);
    const auto small = hn::And(hn::Eq(s, hn::Zero(d)), hn::Lt(hn::Abs(product), least));
    hn::StoreU(hn::IfThenElse(small, hn::Mul(product, up), product), d, value + i);
    hn::StoreU(hn::IfThenElse(small, hn::Set(d, -1.0), s), d, scale + i);
  }
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(multiply_powers);

namespace {

using core::at;

constexpr double kSmall = 0x1p-80;
constexpr double kUp = 0x1p800;
constexpr double kDown = 0x1p-800;

// The number value * 2^(kScaleBits * scale), with the value within 2^-400 .. 2^400, or zero.
template <class Real>
struct Scaled {
  Real value;
  double scale;
};

template <class Real>
Scaled<Real> split(math::Extended<long double> number) {
  number = number.normalised();
  if (number.mantissa == 0) return {0, 0};
  const Index half = kScaleBits / 2;
  const Index scale = (number.exponent + (number.exponent > 0 ? half : -half)) / kScaleBits;
  return {static_cast<Real>(std::ldexp(number.mantissa, static_cast<int>(number.exponent - scale * kScaleBits))),
          static_cast<double>(scale)};
}

// For values >= 0.
Scaled<long double> operator*(Scaled<long double> a, Scaled<long double> b) {
  const long double value = a.value * b.value;
  if (value == 0) return {0, 0};
  if (value < 0x1p-400L) return {value * 0x1p800L, a.scale + b.scale - 1};
  if (value > 0x1p400L) return {value * 0x1p-800L, a.scale + b.scale + 1};
  return {value, a.scale + b.scale};
}

std::vector<long double> widened(std::span<const double> values) { return {values.begin(), values.end()}; }

}  // namespace

PowerTable::PowerTable(std::span<const long double> base, Index most) : bases_(static_cast<Index>(base.size())) {
  const Index highs = most / kLow + 1;
  low_.resize(at(kLow * bases_ + kPairPadding));
  high_.resize(at(highs * bases_ + kPairPadding));
  scale_.resize(at(highs * bases_ + kPairPadding));
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < bases_; ++i) {
    long double power = 1;
    for (Index j = 0; j < kLow; ++j, power *= base[at(i)]) low_[at(j * bases_ + i)] = static_cast<double>(power);
    const Scaled<long double> step = split<long double>(math::power(base[at(i)], kLow));
    Scaled<long double> high{1, 0};
    for (Index j = 0; j < highs; ++j, high = high * step) {
      high_[at(j * bases_ + i)] = static_cast<double>(high.value);
      scale_[at(j * bases_ + i)] = high.scale;
    }
  }
}

PowerTable::Rows PowerTable::get(Index n, Index first) const {
  const std::size_t high = at(n / kLow * bases_ + first);
  return {low_.data() + n % kLow * bases_ + first, high_.data() + high, scale_.data() + high};
}

core::MemoryEstimate PowerTable::memory(Index bases, Index most) {
  return {.tables = (kLow + 2 * (most / kLow + 1)) * bases * static_cast<Index>(sizeof(double))};
}

StartValues::StartValues(std::span<const double> sin_theta, Index mmax, double least)
    : least_(least), powers_(widened(sin_theta), mmax) {
  // norm_m^2 = (2 m + 1)!! / (4 pi (2 m)!!).
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  long double square = 1 / (4 * pi);
  for (Index m = 0; m <= mmax; ++m) {
    if (m > 0) square *= static_cast<long double>(2 * m + 1) / static_cast<long double>(2 * m);
    norm_.push_back(static_cast<double>(m % 2 == 0 ? std::sqrt(square) : -std::sqrt(square)));
  }
}

void StartValues::get(Index m, Index first, Index count, double* value, double* scale) const {
  HWY_DYNAMIC_DISPATCH(multiply_powers)(powers_.get(m, first), norm_[at(m)], least_, count, value, scale);
}

namespace {

std::vector<long double> half_angles(std::span<const double> cos_theta, std::span<const double> sin_theta,
                                     long double math::HalfAngle<long double>::*member) {
  std::vector<long double> values;
  for (std::size_t i = 0; i < cos_theta.size(); ++i)
    values.push_back(math::HalfAngle<long double>::from(cos_theta[i], sin_theta[i]).*member);
  return values;
}

}  // namespace

WignerStartValues::WignerStartValues(Index spin, std::span<const double> cos_theta, std::span<const double> sin_theta,
                                     Index mmax)
    : spin_(spin),
      cosine_(half_angles(cos_theta, sin_theta, &math::HalfAngle<long double>::cosine), mmax + spin),
      sine_(half_angles(cos_theta, sin_theta, &math::HalfAngle<long double>::sine), mmax + spin) {
  if (cos_theta.empty()) return;
  // The square is (2 l + 1) / (4 pi) times the binomial coefficient (2 l over l + k), l = max(m, s), k = min(m, s).
  math::Extended<long double> square{};
  for (Index m = 0; m <= mmax; ++m) {
    if (m <= spin) {
      const auto norm = math::wigner_start_norm(spin, m);
      square = norm * norm;
    } else {
      const auto next = static_cast<long double>(m);
      square = square * math::Extended<long double>{
                            (2 * next + 1) * (2 * next) /
                                (static_cast<long double>(m + spin) * static_cast<long double>(m - spin)),
                            0};
    }
    const auto norm = split<double>(math::square_root(square));
    norm_.push_back(norm.value);
    norm_scale_.push_back(norm.scale);
  }
}

void WignerStartValues::get(Index m, int sign, Index first, Index count, double* value, double* scale) const {
  const PowerTable::Rows cosine = cosine_.get(std::abs(m - sign * spin_), first);
  const PowerTable::Rows sine = sine_.get(std::abs(m + sign * spin_), first);
  const bool negative = (sign < 0 && spin_ > m ? spin_ : m) % 2 != 0;
  const double norm = negative ? -norm_[at(m)] : norm_[at(m)];
  for (Index i = 0; i < count; ++i) {
    double v = cosine.low[i] * cosine.high[i];
    double s = cosine.scale[i] + sine.scale[i] + norm_scale_[at(m)];
    const auto raise = [&](double least) {
      if (std::abs(v) >= least || v == 0) return;
      v *= kUp;
      s -= 1;
    };
    v *= sine.high[i];
    raise(0x1p-400);
    v *= sine.low[i];
    raise(0x1p-400);
    v *= norm;
    raise(0x1p-400);
    if (std::abs(v) > 0x1p400 && s < 0) {
      v *= kDown;
      s += 1;
    }
    for (; s > 0; s -= 1) v *= kUp;
    if (s == 0) raise(kSmall);
    value[i] = v;
    scale[i] = v == 0 ? 0.0 : s;
  }
}

}  // namespace armilla::legendre
#endif
