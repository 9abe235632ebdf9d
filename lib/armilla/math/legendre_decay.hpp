#pragma once

#include <armilla/core/types.hpp>

namespace armilla::math {

/// How far lambda_lm at this colatitude is below its oscillating size, as the exponent of exp(-x), for the degree l <=
/// lmax of least decay, which is lmax: with L = lmax + 1/2 and sin(turning) = m / L,
///   x = integral from theta to turning of sqrt(m^2 / sin^2(t) - L^2) dt
///     = m arcosh(m cos(theta) / (sin(theta) sqrt(L^2 - m^2))) - L arcosh(L cos(theta) / sqrt(L^2 - m^2))
/// (WKB). 0 where m <= L sin(theta); it grows with m. theta is folded to the northern hemisphere: cosine and sine >= 0;
/// 0 <= m <= lmax. Functions of spin s decay at m at least as scalar ones do at m - s.
double legendre_decay(core::Index lmax, core::Index m, double cos_theta, double sin_theta);

/// The least m from which on the decay is at least `exponent`; lmax + 1 where there is none.
core::Index decayed_order(core::Index lmax, double exponent, double cos_theta, double sin_theta);

}  // namespace armilla::math
