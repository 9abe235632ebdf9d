#pragma once

#include <armilla/dist/distribution.hpp>

#include <span>
#include <vector>

namespace armilla::dist {

/// One Delta that goes through an all-to-all.
struct ExchangedDelta {
  Index spin;   ///< enters the polar cut
  Index width;  ///< complex numbers per (m, ring): components times maps
};

/// How much an all-to-all between m owners and ring owners carries, of all ranks at once. The same numbers as those of
/// the ExchangePlan of each rank (of their JointExchange where there are several Delta), without making them. Counts
/// are in complex numbers; towards the m side all are the same, with send and receive exchanged.
struct ExchangeVolume {
  /// In O(ranks mmax + pairs) operations. Not collective.
  ExchangeVolume(const AlmDistribution& alm, const PixelDistribution& pixels, std::span<const ExchangedDelta> deltas);

  std::vector<Index> send;     ///< [rank] its send buffer, own part included
  std::vector<Index> receive;  ///< [rank] its receive buffer, own part included
  std::vector<Index> own;      ///< [rank] what stays on the rank
  Index total = 0;             ///< sent to other ranks, over all ranks
  Index largest_pair = 0;      ///< sent by one rank to one other rank, at the most
  int partners = 0;            ///< other ranks that one rank sends to, at the most

  /// The most that one rank sends to, or receives from, others.
  Index largest_rank() const;
  /// The largest buffer of any rank, which is what displacements of MPI have to reach.
  Index largest_buffer() const;
};

}  // namespace armilla::dist
