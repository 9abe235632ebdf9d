#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::transform {

using core::Index;

/// Spectra of rings of `nphi` pixels whose first stands at phi0: S_c = sum over the pixels j of map_j exp(-i c phi_j),
/// c = 0 .. nphi / 2. They say all about a real map. Of higher m, sum over j of map_j exp(-i m phi_j) is an alias:
/// S_c exp(-i k nphi phi0) where m = c + k nphi, its like with the conjugate of S_c where m = k nphi - c.
class RingAliases {
 public:
  /// Rings by slots, m up to mmax.
  RingAliases(std::span<const Index> nphi, std::span<const double> phi0, Index mmax);

  /// What m is on one ring.
  struct Alias {
    Index c;
    bool conjugate;
    std::complex<double> phase;  ///< exp(-i k nphi phi0)
  };
  Alias of(Index m, Index slot) const {
    const Index n = nphi_[at(slot)];
    const Index k = m < n ? 0 : m / n;
    const Index rest = m - k * n;
    if (2 * rest <= n) return {rest, false, phases_[first_[at(slot)] + at(k)]};
    return {n - rest, true, phases_[first_[at(slot)] + at(k + 1)]};
  }

  /// True where m is its own c on that ring, and no other: 0 < 2 m < nphi.
  bool is_plain(Index m, Index slot) const { return m > 0 && 2 * m < nphi_[at(slot)]; }
  /// Whether S_c and its conjugate stand for the same: c = 0 and nphi / 2. Then S_c = turned(slot) conj(S_c), or
  /// conj(S_c) for c = 0.
  bool is_own_mirror(Index c, Index slot) const { return c == 0 || 2 * c == nphi_[at(slot)]; }
  /// exp(-i nphi phi0).
  std::complex<double> turned(Index slot) const { return phases_[first_[at(slot)] + 1]; }
  /// The highest c of a ring, at most mmax.
  Index last_class(Index slot) const;

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  std::vector<Index> nphi_;                   ///< [slot]
  std::vector<std::size_t> first_;            ///< [slot] of phases_
  std::vector<std::complex<double>> phases_;  ///< [k]
  Index mmax_;
};

}  // namespace armilla::transform
