#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

namespace armilla::math {

using core::Index;

/// The alias of m on a ring of nphi pixels, the first at phi0; for host and device. With S_c = sum over the pixels j of
/// map_j exp(-i c phi_j), c = 0 .. nphi / 2, the same sum for m is S_c, or its conjugate, times exp(-i turns nphi
/// phi0).
struct RingAlias {
  Index c;
  Index turns;
  bool conjugate;

  HOST_DEVICE static RingAlias of(Index m, Index nphi) {
    const Index turns = m < nphi ? 0 : m / nphi;
    const Index rest = m - turns * nphi;
    if (2 * rest <= nphi) return {rest, turns, false};
    return {nphi - rest, turns + 1, true};
  }
  /// Whether S_c and its conjugate are equivalent: c = 0 and nphi / 2. Then S_c = exp(-i nphi phi0) conj(S_c), or
  /// conj(S_c) for c = 0.
  HOST_DEVICE static bool is_own_mirror(Index c, Index nphi) { return c == 0 || 2 * c == nphi; }

  /// The next m with the same c.
  HOST_DEVICE Index next(Index nphi) const {
    if (is_own_mirror(c, nphi)) return (turns + 1) * nphi + c;
    return conjugate ? turns * nphi + c : (turns + 1) * nphi - c;
  }
  /// The previous m with the same c; negative if there is none.
  HOST_DEVICE Index previous(Index nphi) const {
    if (is_own_mirror(c, nphi)) return (turns - 1) * nphi + c;
    return conjugate ? (turns - 1) * nphi + c : turns * nphi - c;
  }
};

/// A linear map of complex numbers as pairs of real ones: re' = a re + b im, im' = c im + d re.
struct PairMap {
  double a, b, c, d;
};

/// exp(-i k nphi phi0).
struct Turn {
  double re, im;
};

/// The sum for m from S_c; `turn` is exp(-i turns nphi phi0) for alias.turns.
HOST_DEVICE inline PairMap alias_of_class(const RingAlias& alias, const Turn& turn) {
  const double sign = alias.conjugate ? -1 : 1;
  return {turn.re, -turn.im * sign, turn.re * sign, turn.im};
}

/// The contribution of Delta_m of a map to S_c, times `factor`: v = Delta / turn or its conjugate. If the class is its
/// own mirror image, it is v + once conj(v), where `once` is for one turn, or 1 for c = 0. For m = 0 it is the real
/// part.
HOST_DEVICE inline PairMap class_of_alias(Index m, Index nphi, const RingAlias& alias, const Turn& turn,
                                          const Turn& once, double factor) {
  if (m == 0) return {factor, 0, 0, 0};
  const double re = factor * turn.re;
  const double im = -factor * turn.im;
  const double sign = alias.conjugate ? -1 : 1;
  if (!RingAlias::is_own_mirror(alias.c, nphi)) return {re, -im, sign * re, sign * im};
  const double x = alias.c == 0 ? 1 : once.re;
  const double y = alias.c == 0 ? 0 : once.im;
  return {(1 + x) * re + y * sign * im, y * sign * re - (1 + x) * im, (1 - x) * sign * re - y * im,
          (1 - x) * sign * im + y * re};
}

}  // namespace armilla::math
