#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::legendre {

using core::Index;

/// Tables shared by all m of one spin: values that depend on a single index.
///
/// The bands convert coefficients of spin s to scalar ones, sin^s(theta) sum of c_l slambda_l = sum of c'_l lambda_l
/// with l up to lmax + s. They apply s times
///   sin(theta) sY_lm = -A_l (s-1)Y_{l+1,m} + B_l (s-1)Y_{l,m} + C_l (s-1)Y_{l-1,m}
/// (recurrences of Wigner functions in the spin; Varshalovich et al. 1988, section 4.8), where
///   A_l = a_l sqrt((l+1)^2 - m^2), B_l = b_l m, C_l = c_l sqrt(l^2 - m^2).
struct DegreeTables {
  /// Value for step k of m, l = m + 2 k, as the product of a factor of m and distance[k] distance[m + k] degree(l),
  /// functions of l - m, l + m and l. Products of eps_l have this form. They therefore need no roots, divisions, or
  /// recurrences from step to step.
  struct Product {
    core::AlignedVector<double> distance;   ///< [(l -+ m) / 2]
    core::AlignedVector<double> degree[2];  ///< [l % 2][l / 2]
  };
  struct Band {
    core::AlignedVector<double> a, b, c;  ///< [l + kFront]; 0 below the spin of the level
    Index spin;                           ///< of the input coefficients
  };
  /// Padding before the first degree, so that l - 1 can be read.
  static constexpr Index kFront = 8;
  /// The number of steps of an m is rounded up to a multiple of this; all these steps have entries.
  static constexpr Index kStepPadding = 8;
  /// Degrees after scalar_lmax that have entries, so that whole vectors can be read after the last step of any m.
  static constexpr Index kEnd = 2 * kStepPadding + 32;

  DegreeTables(Index spin, Index lmax);

  Index spin;
  Index lmax;         ///< of the coefficients
  Index scalar_lmax;  ///< of the scalar functions: lmax + spin
  Index end;          ///< degrees below this one have entries
  /// |alpha_k|, |alpha_k| eps_{l+1}, |alpha_k| eps_{l+2} of ScalarForm::kTwoTerm, and |alpha_k| of kEquator
  /// (ScalarTables). The factor of m is 1 for kEquator and alpha_scale for the others.
  Product alpha, low, high, equator;
  /// |a_k| of kTwoTerm; row_b [l % 2][l / 2] is the function of l divided by (2 l + 1) (2 l + 5).
  Product row;
  core::AlignedVector<double> row_b[2];
  std::vector<double> alpha_scale;   ///< [m][2] factor of m for even and for odd steps k, for alpha_0 = sqrt(2 m + 3)
  std::vector<double> row_scale;     ///< [m][2] factor of m in `row`, for even and for odd steps k
  core::AlignedVector<double> root;  ///< [x + kFront] sqrt(x); spins only
  std::vector<Band> bands;           ///< for spin, spin - 1, .., 1
};

}  // namespace armilla::legendre
