#pragma once

#include <armilla/core/types.hpp>

namespace armilla::math {

/// One node of Gauss-Legendre quadrature on [-1, 1], as a colatitude.
struct GaussNode {
  double theta;  ///< increases with the index of the node
  double cos_theta;
  double sin_theta;
  double weight;  ///< for the integral over cos(theta); the sum of all n is 2
};

/// Node `i`, 0 <= i < (n + 1) / 2, from the pole to the equator. The other half of the nodes is the mirror image. Below
/// n = 256 computed by Newton iteration on the Legendre polynomial, at a cost of O(n); from there on by asymptotic
/// series, at a cost of O(1). Errors of all values are within 2 units in the last place. All processors obtain the same
/// result for the same arguments.
GaussNode gauss_legendre_node(core::Index n, core::Index i);

}  // namespace armilla::math
