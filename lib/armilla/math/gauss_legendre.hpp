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

/// Node `i`, 0 <= i < (n + 1) / 2, from the pole to the equator. Computed by Newton iteration on the Legendre
/// polynomial, in theta so that nodes near the pole lose no digits. The other half of the nodes is the mirror image.
/// Cost O(n) per node; for n > 8192 O(1) for all but the 24 nodes next to each pole.
GaussNode gauss_legendre_node(core::Index n, core::Index i);

}  // namespace armilla::math
