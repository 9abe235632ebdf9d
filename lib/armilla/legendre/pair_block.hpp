#pragma once

#include <armilla/math/wigner.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace armilla::legendre {

using core::Index;

/// Ring pairs that are advanced together in the inner loops.
inline constexpr int kLanes = 8;

/// Recurrence coefficients of one (m, spin) for l = lowest .. lmax - 1, shared by all rings.
template <class Real>
struct StepTable {
  Index lowest;
  std::vector<math::WignerStep<Real>> steps;

  StepTable(Index spin, Index m, Index lmax) : lowest(math::lowest_degree(spin, m)) {
    for (Index l = lowest; l < lmax; ++l) {
      const auto step = math::wigner_step<long double>(spin, m, l);
      steps.push_back({static_cast<Real>(step.slope), static_cast<Real>(step.head_plus),
                       static_cast<Real>(step.head_minus), static_cast<Real>(step.back)});
    }
  }
};

/// slambda_lm at kLanes colatitudes, for successive l and one sign of the spin. Values are value * 2^(kScaleBits *
/// scale) with scale <= 0. A lane contributes only once its scale is 0, from about 2^-400. No value underflows before
/// that, and the omitted values are far below rounding errors.
template <class Real, int sign>
class LaneRecurrence {
 public:
  static constexpr Index kScaleBits = 800;

  void start(int lane, math::Extended<long double> value) {
    previous_[lane] = 0;
    value = value.normalised();
    scale_[lane] = 0;
    if (value.mantissa == 0) {
      value_[lane] = 0;
      return;
    }
    // Split the exponent so that the value is within 2^-400 .. 2^400 of its scale.
    const Index scale = std::min<Index>(0, (value.exponent - kScaleBits / 2) / kScaleBits);
    scale_[lane] = static_cast<double>(scale);
    value_[lane] = static_cast<Real>(std::ldexp(value.mantissa, static_cast<int>(value.exponent - scale * kScaleBits)));
    if (scale < 0) scaled_ = true;
  }

  /// The values that contribute; 0 for lanes that are still negligible.
  void values(std::array<Real, kLanes>& out) const {
    if (!scaled_) {
      out = value_;
      return;
    }
#pragma omp simd
    for (int i = 0; i < kLanes; ++i) out[i] = scale_[i] < 0 ? Real(0) : value_[i];
  }

  void advance(const math::WignerStep<Real>& step, const std::array<Real, kLanes>& one_minus_cos) {
    const Real head = sign > 0 ? step.head_plus : step.head_minus;
#pragma omp simd
    for (int i = 0; i < kLanes; ++i) {
      const Real next = (head - step.slope * one_minus_cos[i]) * value_[i] - step.back * previous_[i];
      previous_[i] = value_[i];
      value_[i] = next;
    }
    if (scaled_) rescale();
  }

  /// True while no lane contributes.
  bool all_below() const {
    return scaled_ && std::all_of(scale_.begin(), scale_.end(), [](double s) { return s < 0; });
  }

 private:
  void rescale() {
    bool any = false;
    for (int i = 0; i < kLanes; ++i) {
      if (scale_[i] < 0 && std::abs(value_[i]) > Real(0x1p400)) {
        value_[i] *= Real(0x1p-800);
        previous_[i] *= Real(0x1p-800);
        scale_[i] += 1;
      }
      any = any || scale_[i] < 0;
    }
    scaled_ = any;
  }

  alignas(64) std::array<Real, kLanes> value_{};
  alignas(64) std::array<Real, kLanes> previous_{};
  std::array<double, kLanes> scale_{};
  bool scaled_ = false;
};

/// Both signs of the spin at kLanes ring pairs; lanes after the last pair stay zero.
template <class Real>
class PairBlock {
 public:
  PairBlock(Index spin, Index m, math::Extended<long double> norm, const double* cos_theta, const double* sin_theta,
            Index count)
      : spin_(spin) {
    for (int i = 0; i < kLanes; ++i) {
      if (i >= count) {
        one_minus_cos_[i] = 0;
        plus_.start(i, {});
        minus_.start(i, {});
        continue;
      }
      const auto half = math::HalfAngle<long double>::from(cos_theta[i], sin_theta[i]);
      one_minus_cos_[i] = static_cast<Real>(half.one_minus_cos);
      plus_.start(i, math::wigner_start(spin, m, norm, half));
      if (spin > 0) minus_.start(i, math::wigner_start(-spin, m, norm, half));
    }
  }

  /// The two factors of a transform of real components at the current l (math/spin.hpp). For spin 0 only `same` is set.
  void functions(std::array<Real, kLanes>& same, std::array<Real, kLanes>& mixed) const {
    plus_.values(same);
    if (spin_ == 0) return;
    std::array<Real, kLanes> minus;
    minus_.values(minus);
    const Real sign = spin_ % 2 == 0 ? Real(1) : Real(-1);
#pragma omp simd
    for (int i = 0; i < kLanes; ++i) {
      const Real p = same[i];
      const Real q = sign * minus[i];
      same[i] = Real(-0.5) * (p + q);
      mixed[i] = Real(-0.5) * (p - q);
    }
  }

  void advance(const math::WignerStep<Real>& step) {
    plus_.advance(step, one_minus_cos_);
    if (spin_ > 0) minus_.advance(step, one_minus_cos_);
  }

  bool all_below() const { return plus_.all_below() && (spin_ == 0 || minus_.all_below()); }

 private:
  Index spin_;
  LaneRecurrence<Real, +1> plus_;
  LaneRecurrence<Real, -1> minus_;
  alignas(64) std::array<Real, kLanes> one_minus_cos_{};
};

}  // namespace armilla::legendre
