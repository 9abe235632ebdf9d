#pragma once

#include <armilla/core/exchange_part.hpp>
#include <armilla/dist/distribution.hpp>

#include <vector>

namespace armilla::dist {

/// Layout of Delta_m(ring) on both sides of the all-to-all between m owners and ring owners, for one rank. Sent:
/// [destination][local m][destination's ring][component, map]; received: [source][source's m][local ring][component,
/// map]. Each (m, destination) has only the rings to which m contributes. Because pairs are sorted by sin(theta), these
/// are the last ones of the block. All counts and positions are in complex values, with 64 bits. The public vectors are
/// the plan; stages read them through spans.
class ExchangePlan {
 public:
  /// `width` = components times maps: complex values per (m, ring). `spin` affects the polar cut. `part_count` >= 1:
  /// number of parts of the exchange, of about equal size.
  ExchangePlan(const AlmDistribution& alm, const PixelDistribution& pixels, Index spin, Index width, int rank,
               int part_count = 1);

  Index width;
  std::vector<Index> send_counts, send_displacements;        ///< [destination]
  std::vector<Index> receive_counts, receive_displacements;  ///< [source]
  Index send_size = 0;
  Index receive_size = 0;

  // The m side: for the local m with index k and pair p >= first_pair[k], the ring of that pair in slot s of block d =
  // pair_block[p] is at block_shift[k * ranks + d] + s * width.
  std::vector<Index> first_pair;   ///< [local m]
  std::vector<Index> block_shift;  ///< [local m][destination]
  std::vector<int> pair_block;     ///< [pair of the grid] the rank that owns it
  std::vector<Index> north_slot;   ///< [pair] slot of its northern ring on its owner, or -1
  std::vector<Index> south_slot;   ///< [pair] slot of its southern ring on its owner, or -1

  // The ring side: m < m_count[s] contribute to ring slot s, whose Delta_m is at m_shift[m] + s * width. Here m is the
  // index among the multiples of alm.m_step().
  std::vector<Index> m_shift;  ///< [m]
  std::vector<Index> m_count;  ///< [local ring slot]

  /// The parts. Each consists of consecutive m, the same on all ranks, so that its values are contiguous in every
  /// block. Part i has the local m with indices part_begin[i] .. part_begin[i + 1] - 1. `here` is the m side.
  std::vector<core::ExchangePart> parts;
  std::vector<Index> part_begin;
};

/// One all-to-all that replaces those of several plans of one rank with the same distributions. The data for or from a
/// rank are stored plan by plan, each in its own layout.
struct JointExchange {
  /// Changes the positions in the plans (block_shift, m_shift and those of parts) to positions in the joint buffers.
  /// The counts and displacements of the plans are unchanged and do not apply to the joint buffers.
  JointExchange(const AlmDistribution& alm, std::span<ExchangePlan* const> plans);

  std::vector<Index> send_counts, send_displacements;        ///< [destination]
  std::vector<Index> receive_counts, receive_displacements;  ///< [source]
  Index send_size = 0;
  Index receive_size = 0;
};

}  // namespace armilla::dist
