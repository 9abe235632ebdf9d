#include <armilla/dist/distribution.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla::dist {

namespace {

using core::at;

// Work of a ring: its FFT and the packing of its m, in units that only need to be fair between rings.
double ring_cost(const grid::Ring& ring) {
  const auto n = static_cast<double>(ring.nphi);
  return n * (4.0 + std::log2(n + 1.0));
}

}  // namespace

PixelDistribution::PixelDistribution(std::shared_ptr<const RingGrid> grid, int ranks)
    : grid_(std::move(grid)), ranks_(ranks) {
  const auto pairs = grid_->pairs();
  std::vector<double> cost_before(pairs.size() + 1, 0.0);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    double cost = 0;
    for (const Index ring : {pairs[p].north, pairs[p].south})
      if (ring >= 0) cost += ring_cost(grid_->rings()[at(ring)]);
    cost_before[p + 1] = cost_before[p] + cost;
  }
  pair_begin_.resize(at(ranks) + 1);
  for (int rank = 0; rank <= ranks; ++rank) {
    const double share = cost_before.back() * rank / ranks;
    // The boundary nearest to the exact share, so that no rank waits for more than half a pair, or for a ring where
    // pairs are joined.
    auto upper = std::ranges::lower_bound(cost_before, share);
    if (upper == cost_before.end()) --upper;
    if (upper != cost_before.begin() && share - *(upper - 1) < *upper - share) --upper;
    const Index begin = upper - cost_before.begin();
    pair_begin_[at(rank)] = begin > 0 && grid_->is_joined_to_next(begin - 1) ? begin - 1 : begin;
  }
  pair_begin_.front() = 0;
  pair_begin_.back() = static_cast<Index>(pairs.size());
}

std::vector<PixelRange> PixelDistribution::pixel_ranges(int rank) const {
  // North rings of consecutive pairs follow each other in the grid, south rings do so backwards.
  PixelRange north{-1, 0};
  PixelRange south{-1, 0};
  for (Index p = pair_begin(rank); p < pair_begin(rank + 1); ++p) {
    const grid::RingPair& pair = grid_->pairs()[at(p)];
    if (pair.north >= 0) {
      const grid::Ring& ring = grid_->rings()[at(pair.north)];
      if (north.count == 0) north.first = ring.first_pixel;
      north.count += ring.nphi;
    }
    if (pair.south >= 0) {
      const grid::Ring& ring = grid_->rings()[at(pair.south)];
      south.first = ring.first_pixel;
      south.count += ring.nphi;
    }
  }
  std::vector<PixelRange> ranges;
  for (const PixelRange& range : {north, south})
    if (range.count > 0) ranges.push_back(range);
  return ranges;
}

Index PixelDistribution::local_pixels(int rank) const {
  Index count = 0;
  for (const PixelRange& range : pixel_ranges(rank)) count += range.count;
  return count;
}

std::vector<Index> PixelDistribution::local_rings(int rank) const {
  std::vector<Index> rings;
  for (Index p = pair_begin(rank); p < pair_begin(rank + 1); ++p) {
    const grid::RingPair& pair = grid_->pairs()[at(p)];
    for (const Index ring : {pair.north, pair.south})
      if (ring >= 0) rings.push_back(ring);
  }
  return rings;
}

std::vector<Index> PixelDistribution::local_ring_pixels(int rank) const {
  const std::vector<PixelRange> ranges = pixel_ranges(rank);
  std::vector<Index> begins;
  for (const Index ring : local_rings(rank)) {
    const Index pixel = grid_->rings()[at(ring)].first_pixel;
    Index before = 0;
    for (const PixelRange& range : ranges) {
      if (pixel >= range.first && pixel < range.first + range.count) {
        begins.push_back(before + pixel - range.first);
        break;
      }
      before += range.count;
    }
  }
  return begins;
}

AlmDistribution::AlmDistribution(AlmLayout layout, int ranks, Index m_step)
    : layout_(layout), ranks_(ranks), m_step_(m_step) {}

int AlmDistribution::owner(Index m) const {
  const Index number = m / m_step_;
  return static_cast<int>(std::min(number, layout_.mmax() / m_step_ - number) % ranks_);
}

std::vector<Index> AlmDistribution::local_m(int rank) const {
  std::vector<Index> own;
  for (Index m = 0; m <= layout_.mmax(); m += m_step_)
    if (owner(m) == rank) own.push_back(m);
  return own;
}

Index AlmDistribution::local_size(int rank) const {
  Index size = 0;
  for (const Index m : local_m(rank)) size += layout_.lmax() - m + 1;
  return size;
}

std::vector<Index> AlmDistribution::local_offsets(int rank) const {
  std::vector<Index> offsets;
  Index begin = 0;
  for (const Index m : local_m(rank)) {
    offsets.push_back(begin - m);
    begin += layout_.lmax() - m + 1;
  }
  return offsets;
}

}  // namespace armilla::dist
