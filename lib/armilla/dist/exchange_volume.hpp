#pragma once

#include <armilla/dist/distribution.hpp>

#include <span>
#include <vector>

namespace armilla::dist {

/// One Delta in an all-to-all.
struct ExchangedDelta {
  Index spin;   ///< affects the polar cut
  Index width;  ///< complex values per (m, ring): components times maps
};

/// Size of an all-to-all between m owners and ring owners, for all ranks. The counts equal those of the ExchangePlan of
/// each rank (of the JointExchange for several Delta), without creating the plans. Counts are in complex values.
/// Towards the m side, send and receive are exchanged.
struct ExchangeVolume {
  /// Needs O(ranks mmax + pairs) operations. Not collective.
  ExchangeVolume(const AlmDistribution& alm, const PixelDistribution& pixels, std::span<const ExchangedDelta> deltas);

  std::vector<Index> send;     ///< [rank] size of its send buffer, including the part for the rank itself
  std::vector<Index> receive;  ///< [rank] size of its receive buffer, including the part from the rank itself
  std::vector<Index> own;      ///< [rank] values that remain on the rank
  Index total = 0;             ///< values sent to other ranks, over all ranks
  Index largest_pair = 0;      ///< maximum sent by one rank to one other rank
  int partners = 0;            ///< maximum number of other ranks to which one rank sends

  /// Maximum that one rank sends to, or receives from, other ranks.
  Index largest_rank() const;
  /// The largest buffer of any rank, which MPI displacements must be able to address.
  Index largest_buffer() const;
};

}  // namespace armilla::dist
