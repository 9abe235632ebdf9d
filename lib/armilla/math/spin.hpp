#pragma once

#include <armilla/core/types.hpp>

/// All sign conventions of the spin transforms. With sa_lm = -(E_lm + i B_lm) and -sa_lm = -(-1)^s (E_lm - i B_lm) the
/// real components Q, U of Q + i U = sum sa_lm sY_lm have, ring by ring,
///   Delta^Q_m = sum over l of E same + i B mixed,   Delta^U_m = sum over l of B same - i E mixed,
///   same  = -(slambda + (-1)^s (-s)lambda) / 2,     mixed = -(slambda - (-1)^s (-s)lambda) / 2.
/// On the mirror ring, `same` has the additional sign (-1)^(l + m + s) and `mixed` the opposite one. A scalar has
/// Delta_m = sum a same with same = lambda and sign (-1)^(l + m).
namespace armilla::math {

/// 0 if `same` of this l is even under reflection at the equator, 1 if it is odd; `mixed` has the other parity.
constexpr int parity(core::Index l, core::Index m, core::Index spin) { return static_cast<int>((l + m + spin) & 1); }

}  // namespace armilla::math
