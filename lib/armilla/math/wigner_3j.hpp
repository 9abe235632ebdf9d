#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::math {

using core::Index;

/// The Wigner 3j symbols (j l2 l3; 0 s -s) for j = |l2 - l3| .. l2 + l3, in this order, overwriting `values`; s >= 0 is
/// at most l2 and l3. Uses the three-term recurrence in j of Schulten & Gordon 1975 (J. Math. Phys. 16, 1961, eq. 6),
/// forward from the first and backward from the last j. Both are matched where the symbols oscillate, and normalised by
/// sum (2 j + 1) f_j^2 = 1. Rounding errors grow with l: relative errors are about 1e-12 at l = 2000.
void wigner_3j(Index l2, Index l3, Index s, std::vector<double>& values);

}  // namespace armilla::math
