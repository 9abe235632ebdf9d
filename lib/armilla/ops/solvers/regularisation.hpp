#pragma once

#include <vector>

namespace armilla::ops {

/// Quadratic penalty of a fit (Tikhonov regularisation). The fit minimises
///
///     sum over data of w |data - Y alm|^2  +  sum over l, m of r_l |alm|^2,    r_l = penalty + 1 / C_l.
///
/// w are the weights as given: mask^2 times inverse variance, times the area of the pixel for PixelCount::kArea; 1
/// without any of them. The sum over m includes both signs, so r_l = lambda is Tikhonov's lambda |alm|^2. If w are
/// inverse noise variances and C_l the power spectrum of the signal, the fit is the Wiener filter.
struct Regularisation {
  double penalty = 0;  ///< at least 0, in the unit of w
  /// C_l [component][l], at least 0 and up to the lmax of the alm, in the inverse unit of w. Where C_l is 0, the alm
  /// are 0. If empty, r_l is the penalty alone.
  std::vector<std::vector<double>> spectra = {};

  /// Whether there is a penalty.
  bool any() const { return penalty > 0 || !spectra.empty(); }
  friend bool operator==(const Regularisation&, const Regularisation&) = default;
};

}  // namespace armilla::ops
