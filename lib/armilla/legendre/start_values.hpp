#pragma once

#include <armilla/core/types.hpp>

#include <span>
#include <vector>

namespace armilla::legendre {

using core::Index;

/// lambda_mm(theta) = (-1)^m norm_m sin^m(theta) at all ring pairs of a grid, from tables of sin^m for m = 0 .. 31 and
/// for the multiples of 32, made in long double once: two roundings per value, no logarithm, nothing underflows.
class StartValues {
 public:
  /// `sin_theta` of the pairs; mmax: the largest m asked for.
  StartValues(std::span<const double> sin_theta, Index mmax);

  /// Values of pairs first .. first + count - 1 as value * 2^(kScaleBits scale), scale a whole number <= 0. A pair that
  /// is far below everything has a value of zero or a negative scale.
  void get(Index m, Index first, Index count, double* value, double* scale) const;

  /// Bytes of the tables.
  Index bytes() const;

 private:
  static constexpr Index kLow = 32;
  Index pairs_;
  std::vector<double> norm_;        ///< [m]
  std::vector<double> low_;         ///< [m % 32][pair]
  std::vector<double> high_;        ///< [m / 32][pair], within 2^-400 .. 2^400
  std::vector<double> high_scale_;  ///< [m / 32][pair], in units of 2^kScaleBits
};

}  // namespace armilla::legendre
