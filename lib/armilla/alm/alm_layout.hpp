#pragma once

#include <armilla/core/types.hpp>

namespace armilla::alm {

using core::Index;

/// Order of the coefficients a_lm, 0 <= m <= mmax, m <= l <= lmax, of one real field: m-major, l fastest, as in healpy.
/// Coefficients of negative m are a_{l,-m} = (-1)^m conj(a_lm) and are not stored.
class AlmLayout {
 public:
  AlmLayout() = default;
  /// Throws InputError unless 0 <= mmax <= lmax <= 2^24.
  AlmLayout(Index lmax, Index mmax);

  Index lmax() const { return lmax_; }  ///< highest degree
  Index mmax() const { return mmax_; }  ///< highest order
  /// Number of stored coefficients.
  Index size() const { return offset(mmax_) + lmax_ + 1; }
  /// Position of (l = 0, m): (l, m) is at offset(m) + l. For m > 0, offset(m) itself is the position of a coefficient
  /// of another m.
  Index offset(Index m) const { return m * (2 * lmax_ + 1 - m) / 2; }
  /// Position of (l, m), m <= l <= lmax.
  Index index(Index l, Index m) const { return offset(m) + l; }

  /// The lmax with mmax = lmax that has `size` coefficients, or -1 if there is none.
  static Index lmax_of_size(Index size);

  /// Equal if lmax and mmax are equal.
  friend bool operator==(const AlmLayout&, const AlmLayout&) = default;

 private:
  Index lmax_ = 0;
  Index mmax_ = 0;
};

}  // namespace armilla::alm
