#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::math {

/// Weights of f(theta_i) in the integral of f(theta) sin(theta) from 0 to pi, theta_i = (2 i + shift) pi / points for i
/// = 0 .. count - 1, exact for f = cos(k theta), k < count (Waldvogel 2006). The theta_i must include all such points
/// in [0, pi], except that the poles may be omitted (Fejer's second rule: shift = 2) or have weight 0 (Driscoll &
/// Healy: points = 2 count). In that case the number of functions integrated exactly is the number of inner points.
/// Cost O(count points); for more than 8192 rings O(points), because only sums near the poles are added up term by
/// term.
std::vector<double> equidistant_weights(core::Index points, int shift, core::Index count);

}  // namespace armilla::math
