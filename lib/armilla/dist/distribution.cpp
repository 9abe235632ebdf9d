#include <armilla/dist/distribution.hpp>
#include <armilla/dist/work.hpp>
#include <armilla/math/polar_cut.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace armilla::dist {

namespace {

using core::at;

// Costs are integers, computed by operations that round identically on all processors, so that all ranks obtain the
// same result.

// Cost in units of 1/16.
Index ring_cost(const grid::Ring& ring) { return static_cast<Index>(16 * ring_work(ring.nphi)); }

// The work of m is evaluated on rings that are equidistant in theta, for any grid, so that all fields of a layout have
// the same distribution.
constexpr int kModelRings = 64;

struct ModelRing {
  double sine;
  double cosine_power;  // cos(theta)^(2/3)
};

// In the middle of each part of 0 .. pi / 2.
std::array<ModelRing, kModelRings> model_rings() {
  // Rotates in steps of pi / 128, starting at half a step.
  constexpr double kCos = 0.9996988186962042, kSin = 0.024541228522912288;
  double cosine = 0.9999247018391445, sine = 0.012271538285719925;
  std::array<ModelRing, kModelRings> rings{};
  for (ModelRing& ring : rings) {
    ring = {sine, math::cube_root(cosine * cosine)};
    const double next = sine * kCos + cosine * kSin;
    cosine = cosine * kCos - sine * kSin;
    sine = next;
  }
  return rings;
}

// Work of m in the Legendre stage: for each ring, the number of degrees that are not negligible there. These start at
// about the first degree whose polar_cut() is at least m.
Index m_cost(const AlmLayout& layout, std::span<const ModelRing> rings, Index m) {
  const auto lmax = static_cast<double>(layout.lmax()), order = static_cast<double>(m);
  const double margin = math::polar_margin(order, 1);
  double degrees = 0;
  for (const ModelRing& ring : rings) {
    const double first = (order - margin * ring.cosine_power) / ring.sine;
    degrees += std::max(0.0, lmax - std::max(order, first) + 1);
  }
  return 1 + static_cast<Index>(degrees);
}

// Whether `ranks` blocks of cost at most `most` cover all units; the cumulative costs before each unit are given.
bool fits(std::span<const Index> before, int ranks, Index most) {
  auto begin = before.begin();
  for (int rank = 0; rank < ranks && begin != before.end() - 1; ++rank)
    begin = std::upper_bound(begin, before.end(), *begin + most) - 1;
  return begin == before.end() - 1;
}

// The smallest possible maximum cost of `ranks` blocks of consecutive units.
Index least_block(std::span<const Index> before, int ranks) {
  Index low = (before.back() + ranks - 1) / ranks, high = before.back();
  for (std::size_t i = 0; i + 1 < before.size(); ++i) low = std::max(low, before[i + 1] - before[i]);
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (fits(before, ranks, middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Start of each of `ranks` blocks of units, followed by the end. Each is as close as possible to its share, provided
// that no block exceeds the smallest possible maximum cost.
std::vector<std::size_t> block_begins(std::span<const Index> before, int ranks) {
  const Index most = least_block(before, ranks);
  const auto number = [&](auto place) { return static_cast<std::size_t>(place - before.begin()); };
  // Earliest position from which the remaining blocks can reach the end.
  std::vector<std::size_t> least(at(ranks) + 1, before.size() - 1);
  for (std::size_t rank = at(ranks); rank-- > 0;)
    least[rank] = number(std::ranges::lower_bound(before, before[least[rank + 1]] - most));
  std::vector<std::size_t> begins(at(ranks) + 1, 0);
  for (std::size_t rank = 1; rank <= at(ranks); ++rank) {
    const auto share =
        static_cast<Index>(static_cast<double>(before.back()) * static_cast<double>(rank) / static_cast<double>(ranks));
    auto nearest = std::ranges::lower_bound(before, share);
    if (nearest != before.begin() && share - *(nearest - 1) < *nearest - share) --nearest;
    const std::size_t reach = number(std::ranges::upper_bound(before, before[begins[rank - 1]] + most)) - 1;
    begins[rank] = std::clamp(number(nearest), std::max(least[rank], begins[rank - 1]), reach);
  }
  return begins;
}

}  // namespace

PixelDistribution::PixelDistribution(std::shared_ptr<const RingGrid> grid, int ranks)
    : grid_(std::move(grid)), ranks_(ranks) {
  const auto pairs = grid_->pairs();
  // Units that must not be split: pairs, or two joined pairs.
  std::vector<Index> before{0}, unit_begin{0};
  Index cost = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (const Index ring : {pairs[p].north, pairs[p].south})
      if (ring >= 0) cost += ring_cost(grid_->rings()[at(ring)]);
    if (grid_->is_joined_to_next(static_cast<Index>(p))) continue;
    before.push_back(cost);
    unit_begin.push_back(static_cast<Index>(p) + 1);
  }
  for (const std::size_t unit : block_begins(before, ranks)) pair_begin_.push_back(unit_begin[unit]);
  for (int rank = 0; rank < ranks; ++rank) {
    Index begin = 0;
    for (const PixelRange& range : pixel_ranges(rank)) {
      ranges_.push_back({range.first, {rank, begin}});
      begin += range.count;
    }
    local_pixels_.push_back(begin);
  }
  std::ranges::sort(ranges_, {}, &Range::first_pixel);
}

std::vector<PixelRange> PixelDistribution::pixel_ranges(int rank) const {
  // Northern rings of consecutive pairs are consecutive in the grid, southern rings in reverse order.
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

OwnedPlace PixelDistribution::place(Index pixel) const {
  const Range& range = *(std::ranges::upper_bound(ranges_, pixel, {}, &Range::first_pixel) - 1);
  return {range.begin.rank, range.begin.index + pixel - range.first_pixel};
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
    : layout_(layout), ranks_(ranks), m_step_(m_step) {
  // The m are assigned in order of decreasing work, that is ascending, each to the rank with the least work so far.
  const std::array<ModelRing, kModelRings> rings = model_rings();
  using Load = std::pair<Index, int>;
  std::vector<Load> loads;
  for (int rank = 0; rank < ranks; ++rank) loads.emplace_back(0, rank);
  std::priority_queue least(std::greater<Load>(), std::move(loads));
  Owners owners{{}, std::vector<Index>(at(ranks), 0)};
  for (Index m = 0; m <= layout.mmax(); m += m_step) {
    const auto [load, rank] = least.top();
    least.pop();
    least.emplace(load + m_cost(layout, rings, m), rank);
    owners.of_m.push_back(rank);
    owners.local_sizes[at(rank)] += layout.lmax() - m + 1;
  }
  owners_ = std::make_shared<const Owners>(std::move(owners));
}

int AlmDistribution::owner(Index m) const { return owners_->of_m[at(m / m_step_)]; }

std::vector<Index> AlmDistribution::local_m(int rank) const {
  std::vector<Index> own;
  for (Index m = 0; m <= layout_.mmax(); m += m_step_)
    if (owner(m) == rank) own.push_back(m);
  return own;
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

std::vector<OwnedPlace> AlmDistribution::places() const {
  std::vector<Index> begin(at(ranks_), 0);
  std::vector<OwnedPlace> places(at(layout_.mmax() + 1));
  for (Index m = 0; m <= layout_.mmax(); m += m_step_) {
    const int rank = owner(m);
    places[at(m)] = {rank, begin[at(rank)] - m};
    begin[at(rank)] += layout_.lmax() - m + 1;
  }
  return places;
}

}  // namespace armilla::dist
