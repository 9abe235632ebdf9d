#pragma once

#include <armilla/core/types.hpp>

namespace armilla::math {

/// Decay of lambda_lm at this colatitude relative to its amplitude in the oscillating region, as the x of exp(-x), for
/// the degree l <= lmax with the least decay, which is lmax. With L = lmax + 1/2 and sin(turning) = m / L,
///   x = integral from theta to turning of sqrt(m^2 / sin^2(t) - L^2) dt
///     = m arcosh(m cos(theta) / (sin(theta) sqrt(L^2 - m^2))) - L arcosh(L cos(theta) / sqrt(L^2 - m^2)) (WKB).
/// 0 if m <= L sin(theta); it increases with m. theta is folded to the northern hemisphere: cosine and sine >= 0;
/// 0 <= m <= lmax. Functions of spin s decay at m at least as much as scalar ones at m - s.
double legendre_decay(core::Index lmax, core::Index m, double cos_theta, double sin_theta);

/// The smallest m from which the decay is at least `exponent`; lmax + 1 if there is none.
core::Index decayed_order(core::Index lmax, double exponent, double cos_theta, double sin_theta);

}  // namespace armilla::math
