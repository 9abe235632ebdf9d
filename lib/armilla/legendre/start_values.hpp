#pragma once

#include <armilla/core/memory_estimate.hpp>

#include <span>
#include <vector>

namespace armilla::legendre {

using core::Index;

/// The kernels represent numbers as value * 2^(kScaleBits scale), where scale is an integer <= 0. Numbers with scale 0
/// contribute to sums. Below about 2^-80 a number has a negative scale; a number that underflows this range is zero.
inline constexpr int kScaleBits = 800;

/// base^n for many bases in (0, 1], from tables of n = 0 .. 31 and of the multiples of 32. The tables are computed once
/// in long double: one rounding each, no logarithm, no underflow.
class PowerTable {
 public:
  PowerTable(std::span<const long double> base, Index most);

  /// base_i^n for i >= `first`, padded to a whole vector, as low * high * 2^(kScaleBits scale), high within 2^-400 ..
  /// 1.
  struct Rows {
    const double* low;
    const double* high;
    const double* scale;
  };
  Rows get(Index n, Index first) const;
  /// Number of powers in `low`; row n / kLow of the other tables applies.
  static constexpr Index kLow = 32;
  static core::MemoryEstimate memory(Index bases, Index most);

 private:
  Index bases_;
  std::vector<double> low_;    ///< [n % 32][base]
  std::vector<double> high_;   ///< [n / 32][base]
  std::vector<double> scale_;  ///< [n / 32][base]
};

/// lambda_mm(theta) = (-1)^m norm_m sin^m(theta) at all ring pairs of a grid.
class StartValues {
 public:
  /// `sin_theta` of the pairs; mmax: the largest m requested; `least`: smaller values get a negative scale.
  StartValues(std::span<const double> sin_theta, Index mmax, double least = 0x1p-80);

  /// Values and scales of pairs first .. first + count - 1; overwrites arrays up to a multiple of kPairPadding.
  void get(Index m, Index first, Index count, double* value, double* scale) const;

  // Factors of get(), for tables in other modules.

  const PowerTable& powers() const { return powers_; }
  double norm(Index m) const { return norm_[static_cast<std::size_t>(m)]; }

 private:
  double least_;
  std::vector<double> norm_;  ///< [m]
  PowerTable powers_;
};

/// slambda_lm(theta) of the lowest degree l = max(m, |s|) at some ring pairs, for both signs of a spin s >= 0: +-norm
/// cos(theta/2)^|m - s| sin(theta/2)^|m + s| (math/wigner.hpp).
class WignerStartValues {
 public:
  /// Cosine (>= 0) and sine of the colatitudes of the pairs; mmax: the largest m requested.
  WignerStartValues(Index spin, std::span<const double> cos_theta, std::span<const double> sin_theta, Index mmax);

  /// Values and scales of pairs first .. first + count - 1 for spin sign * s, sign = 1 or -1.
  void get(Index m, int sign, Index first, Index count, double* value, double* scale) const;

  // Factors of get(), for tables in other modules: powers of cos(theta/2) and sin(theta/2), and the norm of an m
  // without its sign, norm(m) 2^(kScaleBits norm_scale(m)).

  const PowerTable& cosine() const { return cosine_; }
  const PowerTable& sine() const { return sine_; }
  double norm(Index m) const { return norm_[static_cast<std::size_t>(m)]; }
  double norm_scale(Index m) const { return norm_scale_[static_cast<std::size_t>(m)]; }

 private:
  Index spin_;
  std::vector<double> norm_;        ///< [m]
  std::vector<double> norm_scale_;  ///< [m] of either sign
  PowerTable cosine_;
  PowerTable sine_;
};

}  // namespace armilla::legendre
