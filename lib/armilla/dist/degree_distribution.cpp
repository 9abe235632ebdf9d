#include <armilla/dist/degree_distribution.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace armilla::dist {

namespace {

using core::at;

// Two cache lines of double-precision coefficients of one m; fewer if ranks would otherwise have too few blocks each.
constexpr Index kMaxDegrees = 8;
constexpr Index kBlocksPerRank = 8;

Index displacements(const std::vector<Index>& counts, std::vector<Index>& before) {
  before.resize(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), before.begin(), Index{0});
  return std::accumulate(counts.begin(), counts.end(), Index{0});
}

}  // namespace

DegreeDistribution::DegreeDistribution(Index lmax, int ranks)
    : lmax_(lmax), ranks_(ranks), block_(std::clamp<Index>((lmax + 1) / (kBlocksPerRank * ranks), 1, kMaxDegrees)) {}

int DegreeDistribution::owner(Index block) const {
  const Index from_top = lmax_ / block_ - block;
  const Index place = from_top % ranks_;
  // The order of ranks follows the Thue-Morse sequence (forward, back, back, forward, back, forward, forward, back,
  // ...), so that differences of l^2 cancel within four rounds.
  const bool forth = std::popcount(static_cast<std::uint64_t>(from_top / ranks_)) % 2 == 0;
  return static_cast<int>(forth ? place : ranks_ - 1 - place);
}

std::vector<DegreeBlock> DegreeDistribution::blocks(int rank) const {
  std::vector<DegreeBlock> own;
  for (Index block = 0; block * block_ <= lmax_; ++block)
    if (owner(block) == rank) own.push_back({block * block_, std::min(block_, lmax_ + 1 - block * block_)});
  return own;
}

DegreeExchangePlan::DegreeExchangePlan(const AlmDistribution& alm, const DegreeDistribution& degrees, Index fields,
                                       int rank)
    : send_counts(at(alm.ranks()), 0), receive_counts(at(alm.ranks()), 0) {
  const Index lmax = alm.layout().lmax();
  const Index mmax = alm.layout().mmax();
  // [m] Number of one rank's degrees that are at least m.
  const auto counts_from = [&](int owner) {
    std::vector<Index> from(at(lmax + 2), 0);
    for (const DegreeBlock& block : degrees.blocks(owner))
      for (Index l = block.first; l < block.first + block.count; ++l) from[at(l)] = 1;
    for (Index m = lmax; m >= 0; --m) from[at(m)] += from[at(m + 1)];
    return from;
  };
  const std::vector<Index> own_m = alm.local_m(rank);
  for (int d = 0; d < alm.ranks(); ++d) {
    const std::vector<Index> from = counts_from(d);
    for (const Index m : own_m) send_counts[at(d)] += fields * from[at(m)];
  }
  const std::vector<Index> from = counts_from(rank);
  for (Index m = 0; m <= mmax; ++m) receive_counts[at(alm.owner(m))] += fields * from[at(m)];
  send_size = displacements(send_counts, send_displacements);
  receive_size = displacements(receive_counts, receive_displacements);

  std::vector<Index> next = receive_displacements;
  for (Index m = 0; m <= mmax; ++m) {
    const auto source = at(alm.owner(m));
    field_strides.push_back(receive_counts[source] / std::max<Index>(1, fields));
    offsets.push_back(next[source] - (from[0] - from[at(m)]));
    next[source] += from[at(m)];
  }
}

}  // namespace armilla::dist
