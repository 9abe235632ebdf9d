#pragma once

#include <armilla/core/types.hpp>

#include <cmath>
#include <complex>
#include <span>
#include <vector>

namespace armilla::math {

using core::Index;

/// Tables of the two-step recurrence in x^2 = cos^2(theta) for the scalar functions of one m (Ishioka 2018):
///   y_{k+1} = (a_k x^2 + b_k) y_k + y_{k-1},  y_0 = lambda_mm,  y_k = lambda_{l+1} / (x alpha_k),  l = m + 2 k.
/// A sum over l of c_l lambda_l is E + x O with E = sum of y_k even_k, O = sum of y_k odd_k, where
///   even_k = alpha_k (eps_{l+1} c_l + eps_{l+2} c_{l+2}),  odd_k = alpha_k c_{l+1},  eps_l = sqrt((l^2 - m^2) / (4 l^2
///   - 1)).
struct IshiokaTable {
  Index m = 0;
  Index lmax = 0;
  std::vector<double> ab;  ///< a_0 b_0 a_1 b_1 ...
  /// The same for the variable -sin^2(theta): a_k x^2 + b_k = a_k (-s^2) + (a_k + b_k). Near the poles x^2 is rounded
  /// near 1, which moves theta by eps / (2 sin theta); the sum a + b keeps its digits.
  std::vector<double> ab_polar;
  std::vector<double> alpha;  ///< [k]
  std::vector<double> eps;    ///< [l - m], l = m .. lmax + 4

  /// Makes the tables of another m or lmax in the same memory.
  void set(Index m_, Index lmax_);
  /// Number of steps k, for l = m, m + 2, ... up to lmax.
  Index steps() const { return (lmax - m) / 2 + 1; }

  /// Coefficients c of l = m .. lmax into [k][stride], real and imaginary part of even_k and of odd_k from `out` on.
  void transform(std::span<const std::complex<double>> c, double* out, Index stride) const;
  /// The transpose: sums over rings of y_k times even and odd parts, laid out likewise, into c; overwrites c.
  void transpose(const double* sums, Index stride, std::span<std::complex<double>> c) const;
};

}  // namespace armilla::math
