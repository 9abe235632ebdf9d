#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::legendre {

using core::Index;

/// What the tables of every m of one spin share: numbers that depend on one index only.
///
/// The bands take coefficients of spin s to scalar ones, sin^s(theta) sum of c_l slambda_l = sum of c'_l lambda_l with
/// l up to lmax + s, by applying s times
///   sin(theta) sY_lm = -A_l (s-1)Y_{l+1,m} + B_l (s-1)Y_{l,m} + C_l (s-1)Y_{l-1,m}
/// (recurrences of Wigner functions in the spin; Varshalovich et al. 1988, section 4.8), where
///   A_l = a_l sqrt((l+1)^2 - m^2), B_l = b_l m, C_l = c_l sqrt(l^2 - m^2).
struct DegreeTables {
  /// A number of step k of m, l = m + 2 k, as a product of one of m and of distance[k] distance[m + k] degree(l): of
  /// functions of l - m, l + m and l. Products of eps_l are of this form, and so are made without roots, divisions, or
  /// chains from step to step.
  struct Product {
    core::AlignedVector<double> distance;   ///< [(l -+ m) / 2]
    core::AlignedVector<double> degree[2];  ///< [l % 2][l / 2]
  };
  struct Band {
    core::AlignedVector<double> a, b, c;  ///< [l + kFront]; 0 below the spin of the level
    Index spin;                           ///< of the coefficients that come in
  };
  /// Places before the first degree, so that l - 1 may be read.
  static constexpr Index kFront = 8;
  /// Steps of an m are rounded up to this, and all these steps have entries.
  static constexpr Index kStepPadding = 8;

  DegreeTables(Index spin, Index lmax);

  Index spin;
  Index lmax;         ///< of the coefficients
  Index scalar_lmax;  ///< of the scalar functions: lmax + spin
  Index end;          ///< degrees below this one have entries
  /// |alpha_k|, |alpha_k| eps_{l+1}, |alpha_k| eps_{l+2} of ScalarForm::kTwoTerm, and |alpha_k| of kEquator
  /// (ScalarTables); the number of m of the last is 1, that of the others alpha_scale.
  Product alpha, low, high, equator;
  /// |a_k| of kTwoTerm; row_b is [l % 2][l / 2] the function of l over (2 l + 1) (2 l + 5).
  Product row;
  core::AlignedVector<double> row_b[2];
  std::vector<double> alpha_scale;   ///< [m] for alpha_0 = sqrt(2 m + 3)
  std::vector<double> row_scale;     ///< [m][2] the number of m of `row`, and what its rounding leaves
  core::AlignedVector<double> root;  ///< [x + kFront] sqrt(x); spins only
  std::vector<Band> bands;           ///< for spin, spin - 1, .., 1
};

}  // namespace armilla::legendre
