#pragma once

#include <armilla/math/wigner.hpp>

#include <vector>

namespace armilla::normal_matrix {

using core::Index;

/// The functions slambda_lm of one m, lowest degree .. lmax, at rings of the northern hemisphere and their mirror
/// images. Uses the steps of math::RisingStep, which lose no accuracy near the poles.
class HarmonicColumn {
 public:
  HarmonicColumn(Index spin, Index m, Index lmax);

  Index first() const { return first_; }
  /// Overwrites values[l - first()] with slambda_lm at the northern ring, or at its mirror; 0 below the range of
  /// double.
  void make(double cos_theta, double sin_theta, bool mirror, double* values) const;

 private:
  Index spin_, m_, first_;
  math::Extended<long double> norm_;
  std::vector<math::RisingStep> steps_;
};

}  // namespace armilla::normal_matrix
