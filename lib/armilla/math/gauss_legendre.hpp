#pragma once

#include <armilla/core/types.hpp>

namespace armilla::math {

/// One node of Gauss-Legendre quadrature on [-1, 1], as a colatitude.
struct GaussNode {
  double theta;  ///< ascending with the number of the node
  double cos_theta;
  double sin_theta;
  double weight;  ///< of the integral over cos(theta); all n add up to 2
};

/// Node `i`, 0 <= i < (n + 1) / 2, from the pole to the equator: Newton iteration on the Legendre polynomial in theta,
/// carried in theta so that nodes near the pole keep their digits. The other half mirrors it. Cost O(n) per node.
GaussNode gauss_legendre_node(core::Index n, core::Index i);

}  // namespace armilla::math
