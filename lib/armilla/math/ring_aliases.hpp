#pragma once

#include <armilla/math/ring_alias.hpp>

#include <span>
#include <vector>

namespace armilla::math {

/// Modes of rings of `nphi` pixels, the first at phi0: S_c = sum over the pixels j of map_j exp(-i c phi_j), c = 0 ..
/// nphi / 2. They determine a real map completely. For higher m, the sum over j of map_j exp(-i m phi_j) is an alias
/// (RingAlias). The class stores tables of full turns, exp(-i k nphi phi0).
class RingAliases {
 public:
  /// For rings by slot, and m up to mmax.
  RingAliases(std::span<const Index> nphi, std::span<const double> phi0, Index mmax);

  /// The alias of m on one ring.
  RingAlias of(Index m, Index slot) const { return RingAlias::of(m, nphi_[at(slot)]); }
  /// exp(-i turns nphi phi0), for at least one turn and for all turns of m up to mmax.
  Turn turn(Index slot, Index turns) const { return turns_[at(first_[at(slot)] + turns)]; }
  Index nphi(Index slot) const { return nphi_[at(slot)]; }

  /// True if m is its own class c on that ring and unaliased: 0 < 2 m < nphi.
  bool is_plain(Index m, Index slot) const { return m > 0 && 2 * m < nphi_[at(slot)]; }
  /// The highest c of a ring, at most mmax.
  Index last_class(Index slot) const;

  /// The turns of all rings, ring by ring, and the index of the first one of each ring.
  std::span<const Turn> turns() const { return turns_; }
  Index first_turn(Index slot) const { return first_[at(slot)]; }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  std::vector<Index> nphi_;   ///< [slot]
  std::vector<Index> first_;  ///< [slot] start of its entries in turns_
  std::vector<Turn> turns_;   ///< [k]
  Index mmax_;
};

}  // namespace armilla::math
