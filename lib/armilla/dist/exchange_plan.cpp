#include <armilla/core/set_up_count.hpp>
#include <armilla/dist/exchange_plan.hpp>
#include <armilla/dist/work.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace armilla::dist {

namespace {

using core::at;

// Slots of the rings of every rank, and of the rings to which a given m contributes.
struct SlotTable {
  std::vector<int> block;           // [pair]
  std::vector<Index> north, south;  // [pair]
  std::vector<Index> begin;         // [pair] first slot of the pair on its owner
  std::vector<Index> slots;         // [rank] number of rings

  explicit SlotTable(const PixelDistribution& pixels) {
    const auto pairs = pixels.grid().pairs();
    block.resize(pairs.size());
    north.assign(pairs.size(), -1);
    south.assign(pairs.size(), -1);
    begin.resize(pairs.size());
    slots.assign(at(pixels.ranks()), 0);
    for (int rank = 0; rank < pixels.ranks(); ++rank) {
      Index slot = 0;
      for (Index p = pixels.pair_begin(rank); p < pixels.pair_begin(rank + 1); ++p) {
        block[at(p)] = rank;
        begin[at(p)] = slot;
        if (pairs[at(p)].north >= 0) north[at(p)] = slot++;
        if (pairs[at(p)].south >= 0) south[at(p)] = slot++;
      }
      slots[at(rank)] = slot;
    }
  }

  // First slot of `rank` at or after pair `first_pair` of the grid; the number of its slots if there is none.
  Index first_slot(const PixelDistribution& pixels, int rank, Index first_pair) const {
    const Index p = std::max(first_pair, pixels.pair_begin(rank));
    return p < pixels.pair_begin(rank + 1) ? begin[at(p)] : slots[at(rank)];
  }
};

// Start of each part of the multiples of m_step, as indices, followed by the end. Parts have about equal numbers of
// pairs (m, ring) in which m contributes to the ring.
std::vector<Index> parts_of(std::span<const Index> rings_that_feel, int parts) {
  const Index all = std::accumulate(rings_that_feel.begin(), rings_that_feel.end(), Index{0});
  std::vector<Index> begin{0};
  Index before = 0;
  for (std::size_t number = 0; number < rings_that_feel.size(); ++number) {
    while (static_cast<int>(begin.size()) < parts && before * parts >= all * static_cast<Index>(begin.size()))
      begin.push_back(static_cast<Index>(number));
    before += rings_that_feel[number];
  }
  begin.resize(at(parts) + 1, static_cast<Index>(rings_that_feel.size()));
  return begin;
}

// Sets the displacements of parts that are stored one after the other in blocks.
void place_parts(std::span<core::ExchangePart> parts, std::span<const Index> here, std::span<const Index> there) {
  std::vector<Index> next_here(here.begin(), here.end()), next_there(there.begin(), there.end());
  for (core::ExchangePart& part : parts) {
    part.here_displacements = next_here;
    part.there_displacements = next_there;
    for (std::size_t rank = 0; rank < next_here.size(); ++rank) {
      next_here[rank] += part.here_counts[rank];
      next_there[rank] += part.there_counts[rank];
    }
  }
}

void finish(std::span<const Index> counts, std::vector<Index>& displacements, Index& total) {
  displacements.resize(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), Index{0});
  total = std::accumulate(counts.begin(), counts.end(), Index{0});
}

}  // namespace

std::vector<Index> first_pairs(std::span<const Index> cuts, Index mmax, Index m_step) {
  std::vector<Index> first;
  Index pair = 0;
  for (Index m = 0; m <= mmax; m += m_step) {
    while (pair < static_cast<Index>(cuts.size()) && cuts[at(pair)] < m) ++pair;
    first.push_back(pair);
  }
  return first;
}

std::vector<Index> first_pairs(const AlmDistribution& alm, const RingGrid& grid, Index spin) {
  std::vector<Index> first =
      first_pairs(*grid.polar_cuts(alm.layout().lmax(), spin), alm.layout().mmax(), alm.m_step());
  for (Index& pair : first)
    if (pair > 0 && grid.is_joined_to_next(pair - 1)) --pair;
  return first;
}

ExchangePlan::ExchangePlan(const AlmDistribution& alm, const PixelDistribution& pixels, Index spin, Index width_,
                           int rank, int part_count)
    : width(width_) {
  core::count_set_up(core::SetUpWork::kExchangePlans);
  const int ranks = alm.ranks();
  const SlotTable table(pixels);
  pair_block = table.block;
  north_slot = table.north;
  south_slot = table.south;
  const std::vector<Index> first = first_pairs(alm, pixels.grid(), spin);

  const std::vector<Index> own_m = alm.local_m(rank);
  std::vector<Index> rings_from(table.block.size() + 1, 0);  // [pair] number of rings in this and later pairs
  for (std::size_t p = table.block.size(); p-- > 0;)
    rings_from[p] = rings_from[p + 1] + (north_slot[p] >= 0 ? 1 : 0) + (south_slot[p] >= 0 ? 1 : 0);
  std::vector<Index> feel;
  for (const Index pair : first) feel.push_back(rings_from[at(pair)]);
  const std::vector<Index> numbers = parts_of(feel, part_count);
  const auto part_of = [&](Index number) {
    return at(std::ranges::upper_bound(numbers.begin(), numbers.end() - 1, number) - numbers.begin() - 1);
  };
  parts.resize(at(part_count));
  for (core::ExchangePart& part : parts) {
    part.here_counts.assign(at(ranks), 0);
    part.there_counts.assign(at(ranks), 0);
  }
  for (const Index number : numbers)
    part_begin.push_back(std::ranges::lower_bound(own_m, number * alm.m_step()) - own_m.begin());
  send_counts.assign(at(ranks), 0);
  block_shift.assign(own_m.size() * at(ranks), 0);
  for (int d = 0; d < ranks; ++d) {
    for (std::size_t k = 0; k < own_m.size(); ++k) {
      const Index slot = table.first_slot(pixels, d, first[at(own_m[k] / alm.m_step())]);
      block_shift[k * at(ranks) + at(d)] = send_counts[at(d)] - slot * width;  // relative to the start of the block
      const Index count = (table.slots[at(d)] - slot) * width;
      send_counts[at(d)] += count;
      parts[part_of(own_m[k] / alm.m_step())].here_counts[at(d)] += count;
    }
  }
  finish(send_counts, send_displacements, send_size);
  for (std::size_t k = 0; k < own_m.size(); ++k) {
    first_pair.push_back(first[at(own_m[k] / alm.m_step())]);
    for (int d = 0; d < ranks; ++d) block_shift[k * at(ranks) + at(d)] += send_displacements[at(d)];
  }

  const Index own_slots = table.slots[at(rank)];
  receive_counts.assign(at(ranks), 0);
  m_shift.resize(first.size());
  // The first slot increases with m, so that slots before it have all of their m.
  Index counted = 0;
  for (std::size_t number = 0; number < first.size(); ++number) {
    const Index slot = table.first_slot(pixels, rank, first[number]);
    const std::size_t owner = at(alm.owner(static_cast<Index>(number) * alm.m_step()));
    m_shift[number] = receive_counts[owner] - slot * width;
    receive_counts[owner] += (own_slots - slot) * width;
    parts[part_of(static_cast<Index>(number))].there_counts[owner] += (own_slots - slot) * width;
    for (; counted < slot; ++counted) m_count.push_back(static_cast<Index>(number));
  }
  m_count.resize(at(own_slots), static_cast<Index>(first.size()));
  finish(receive_counts, receive_displacements, receive_size);
  for (std::size_t number = 0; number < first.size(); ++number)
    m_shift[number] += receive_displacements[at(alm.owner(static_cast<Index>(number) * alm.m_step()))];
  place_parts(parts, send_displacements, receive_displacements);
}

JointExchange::JointExchange(const AlmDistribution& alm, std::span<ExchangePlan* const> plans)
    : send_counts(at(alm.ranks()), 0), receive_counts(at(alm.ranks()), 0) {
  for (const ExchangePlan* plan : plans)
    for (std::size_t rank = 0; rank < send_counts.size(); ++rank) {
      send_counts[rank] += plan->send_counts[rank];
      receive_counts[rank] += plan->receive_counts[rank];
    }
  finish(send_counts, send_displacements, send_size);
  finish(receive_counts, receive_displacements, receive_size);
  std::vector<Index> send_begin = send_displacements;  // start of the current plan in the data for each rank
  std::vector<Index> receive_begin = receive_displacements;
  for (ExchangePlan* plan : plans) {
    place_parts(plan->parts, send_begin, receive_begin);
    for (std::size_t i = 0; i < plan->block_shift.size(); ++i) {
      const std::size_t rank = i % send_counts.size();
      plan->block_shift[i] += send_begin[rank] - plan->send_displacements[rank];
    }
    for (std::size_t number = 0; number < plan->m_shift.size(); ++number) {
      const std::size_t rank = at(alm.owner(static_cast<Index>(number) * alm.m_step()));
      plan->m_shift[number] += receive_begin[rank] - plan->receive_displacements[rank];
    }
    for (std::size_t rank = 0; rank < send_counts.size(); ++rank) {
      send_begin[rank] += plan->send_counts[rank];
      receive_begin[rank] += plan->receive_counts[rank];
    }
  }
}

}  // namespace armilla::dist
