#pragma once

#include <armilla/core/types.hpp>

namespace armilla::math {

/// The cube root of x >= 0. Unlike std::cbrt, it uses only operations that round identically on all processors.
double cube_root(double x);

/// Number of m beyond the turning point m = reach = lmax sin(theta) after which functions of spin 0 have decayed below
/// double precision. `slope` is |cos(theta)|.
double polar_margin(double reach, double slope);

/// Largest m, at most lmax, for which a spin-weighted function of degree <= lmax is not negligible on the ring: with
/// larger m, all are below 1e-16 times their rms. It is about lmax sin(theta) + polar_margin(), with the turning point
/// moved by the spin. For small spins it increases from the pole to the equator. If large spins make it decrease again,
/// the plan keeps all rings from the first one to which m contributes. `order_margin` is added to the margin. All
/// processors obtain the same result for the same arguments. See docs/decisions/0018-polar-cut.md.
core::Index polar_cut(core::Index lmax, core::Index spin, double cos_theta, double sin_theta,
                      core::Index order_margin = 0);

/// First degrees of one ring that are not negligible: the inverse of polar_cut() on a ring, without its cube roots, for
/// counts of work. The arguments are those of polar_cut().
class FirstDegrees {
 public:
  FirstDegrees(core::Index spin, double cos_theta, double sin_theta, core::Index order_margin = 0);

  /// The smallest l >= max(m, from) for which polar_cut(l) >= m; lmax if there is none. It increases with m, so `from`
  /// can be the result for a smaller m.
  core::Index at(core::Index m, core::Index from, core::Index lmax) const;

 private:
  double spin_, cosine_, sine_, order_margin_;
};

}  // namespace armilla::math
