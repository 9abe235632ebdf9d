#pragma once

#include <armilla/dist/distribution.hpp>

#include <vector>

namespace armilla::dist {

/// Consecutive degrees.
struct DegreeBlock {
  Index first;
  Index count;
};

/// Which rank owns which degrees l, with all their m, where work is l^2 per degree, as in rotations: blocks of at most
/// 8 degrees, dealt out to and fro from the largest down. A pure function of lmax and number of ranks; surplus ranks
/// own nothing.
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

/// One rank's part of the all-to-all that brings coefficients from ranks that own m to ranks that own l; it runs
/// backwards with both sides exchanged. Counts and displacements [rank] in coefficients. What rank s sends to rank d is
/// [field][m of s][l of d from m on], both ascending.
struct DegreeExchangePlan {
  DegreeExchangePlan(const AlmDistribution& alm, const DegreeDistribution& degrees, Index fields, int rank);

  std::vector<Index> send_counts, send_displacements;
  std::vector<Index> receive_counts, receive_displacements;
  Index send_size;
  Index receive_size;
  /// [m]: what was received of (l, m) of a field lies at offsets[m] + field * field_strides[m] + i, i the number of own
  /// degrees below l.
  std::vector<Index> offsets, field_strides;
};

}  // namespace armilla::dist
