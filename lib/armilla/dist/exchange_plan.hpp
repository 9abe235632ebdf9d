#pragma once

#include <armilla/core/exchange_part.hpp>
#include <armilla/dist/distribution.hpp>

#include <vector>

namespace armilla::dist {

/// Layout of Delta_m(ring) on both sides of the all-to-all between m owners and ring owners, for one rank.
/// Sent: [destination][own m][destination's ring][component, map]; received: [source][source's m][own ring][component,
/// map]. Of each (m, destination) only the rings that feel that m are there: as pairs are sorted by sin(theta), these
/// are the last ones of the block. All counts and positions are in complex numbers, 64 bit. The public vectors are the
/// plan; a stage reads them through spans.
class ExchangePlan {
 public:
  /// `width` = components times maps: complex numbers per (m, ring). `spin` enters the polar cut. `part_count` >= 1:
  /// parts of the exchange, with about as many numbers each.
  ExchangePlan(const AlmDistribution& alm, const PixelDistribution& pixels, Index spin, Index width, int rank,
               int part_count = 1);

  Index width;
  std::vector<Index> send_counts, send_displacements;        ///< [destination]
  std::vector<Index> receive_counts, receive_displacements;  ///< [source]
  Index send_size = 0;
  Index receive_size = 0;

  // The m side: for own m number k, pair p from first_pair[k] on, ring of that pair in slot s of block d =
  // pair_block[p]: position = block_shift[k * ranks + d] + s * width.
  std::vector<Index> first_pair;   ///< [own m]
  std::vector<Index> block_shift;  ///< [own m][destination]
  std::vector<int> pair_block;     ///< [pair of the grid] the rank that owns it
  std::vector<Index> north_slot;   ///< [pair] slot of its northern ring with its owner, or -1
  std::vector<Index> south_slot;   ///< [pair] likewise

  // The ring side: ring slot s feels m < m_count[s]; its Delta_m stands at m_shift[m] + s * width. For m stand their
  // numbers among the multiples of alm.m_step().
  std::vector<Index> m_shift;  ///< [m]
  std::vector<Index> m_count;  ///< [own ring slot]

  /// Each of some consecutive m, the same on all ranks, so that its numbers are contiguous in every block: part i is of
  /// own m numbers part_begin[i] .. part_begin[i + 1] - 1. `here` is the m side.
  std::vector<core::ExchangePart> parts;
  std::vector<Index> part_begin;
};

/// One all-to-all in place of those of several plans, of one rank and the same distributions: what goes to a rank, or
/// comes from it, stands plan after plan, each as it was.
struct JointExchange {
  /// Moves the positions that the plans give, block_shift, m_shift and those of parts, into the joint buffers; their
  /// own counts and displacements stay, and say nothing of these.
  JointExchange(const AlmDistribution& alm, std::span<ExchangePlan* const> plans);

  std::vector<Index> send_counts, send_displacements;        ///< [destination]
  std::vector<Index> receive_counts, receive_displacements;  ///< [source]
  Index send_size = 0;
  Index receive_size = 0;
};

/// Largest m, at most lmax, for which a spin-weighted function of degree <= lmax is not negligible in double precision
/// on the ring: about lmax sin(theta) + max(100, lmax / 100), with the turning point moved by the spin
/// (the rule of libsharp, Reinecke & Seljebotn 2013). For small spins it grows from the pole to the equator; where
/// large spins make it fall again, the plan keeps the rings from the first one on that feels m.
Index polar_cut(Index lmax, Index spin, double cos_theta, double sin_theta);

}  // namespace armilla::dist
