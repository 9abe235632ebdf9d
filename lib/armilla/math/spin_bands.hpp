#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <vector>

namespace armilla::math {

using core::Index;

/// Coefficients of spin s of one m turned into scalar ones: sin^s(theta) sum of c_l slambda_l = sum of c'_l lambda_l,
/// with l up to lmax + s, by applying s times
///   sin(theta) sY_lm = -A_l (s-1)Y_{l+1,m} + B_l (s-1)Y_{l,m} + C_l (s-1)Y_{l-1,m}
/// (recurrences of Wigner functions in the spin; Varshalovich et al. 1988, section 4.8). m may be negative.
class SpinBands {
 public:
  using Complex = std::complex<double>;

  /// Makes the bands of another m in the same memory.
  void set(Index spin, Index m, Index lmax);
  /// In place: c holds l = 0 .. lmax + spin, of which up to lmax are given and none below max(|m|, spin) is read.
  void lower(std::vector<Complex>& c) const;
  /// The transpose, in place.
  void raise(std::vector<Complex>& c) const;

 private:
  struct Band {
    std::vector<double> a, b, c;  ///< [l], l = 0 .. lmax of this level
    Index lowest;
    Index lmax;
  };
  Index abs_m_ = 0;
  std::vector<Band> bands_;  ///< for spin, spin - 1, .., 1
};

}  // namespace armilla::math
