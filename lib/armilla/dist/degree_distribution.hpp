#pragma once

#include <armilla/dist/distribution.hpp>

#include <vector>

namespace armilla::dist {

/// Consecutive degrees.
struct DegreeBlock {
  Index first;
  Index count;
};

/// Assignment of degrees l, with all their m, to ranks if the work is l^2 per degree, as in rotations. Blocks of at
/// most 8 degrees are assigned in alternating rank order, starting with the highest degrees. A pure function of lmax
/// and the number of ranks; surplus ranks own no degrees.
class DegreeDistribution {
 public:
  DegreeDistribution(Index lmax, int ranks);

  Index lmax() const { return lmax_; }
  int ranks() const { return ranks_; }
  /// The rank's blocks, ascending.
  std::vector<DegreeBlock> blocks(int rank) const;

 private:
  int owner(Index block) const;

  Index lmax_;
  int ranks_;
  Index block_;
};

/// One rank's part of the all-to-all from ranks that own m to ranks that own l; exchange both sides for the reverse.
/// Counts and displacements [rank] are in coefficients. Rank s sends [field][m of s][l of d, l >= m] to rank d, both
/// ascending.
struct DegreeExchangePlan {
  DegreeExchangePlan(const AlmDistribution& alm, const DegreeDistribution& degrees, Index fields, int rank);

  std::vector<Index> send_counts, send_displacements;
  std::vector<Index> receive_counts, receive_displacements;
  Index send_size;
  Index receive_size;
  /// [m] The received coefficient (l, m) of a field is at offsets[m] + field * field_strides[m] + i, where i is the
  /// number of local degrees below l.
  std::vector<Index> offsets, field_strides;
};

}  // namespace armilla::dist
