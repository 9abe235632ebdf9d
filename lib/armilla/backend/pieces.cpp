#include <armilla/backend/pieces.hpp>

#include <algorithm>
#include <numeric>

namespace armilla::backend {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

DeltaSlots::DeltaSlots(const legendre::Task& task) : blocks_(at(task.blocks)) {
  for (Index p = 0; p < task.pairs(); ++p) {
    Block& block = blocks_[at(task.pair_block[at(p)])];
    const Index north = task.north_slot[at(p)];
    const Index south = task.south_slot[at(p)];
    block.end = std::max({block.end, north + 1, south + 1});
    block.pairs.push_back(p);
    block.first.push_back(north < 0 ? south : south < 0 ? north : std::min(north, south));
  }
  for (Block& block : blocks_)
    for (std::size_t i = block.first.size(); i-- > 1;) {
      if (block.first[i - 1] < 0 || (block.first[i] >= 0 && block.first[i] < block.first[i - 1]))
        block.first[i - 1] = block.first[i];
    }
}

DeltaSlots::Range DeltaSlots::of_block(Index number, Index first_pair) const {
  const Block& block = blocks_[at(number)];
  const auto found = std::ranges::lower_bound(block.pairs, first_pair);
  if (found == block.pairs.end()) return {0, 0};
  const Index first = block.first[static_cast<std::size_t>(found - block.pairs.begin())];
  return first < 0 ? Range{0, 0} : Range{first, block.end};
}

OrderPiece::OrderPiece(const legendre::Task& whole, const DeltaSlots& slots, const OrderRange& range) : task_(whole) {
  const Index count = range.end - range.begin;
  const auto cut = [&](std::span<const Index> all) { return all.subspan(at(range.begin), at(count)); };
  task_.m = cut(whole.m);
  task_.first_pair = cut(whole.first_pair);
  Index stride = 0;
  for (const Index m : task_.m) {
    alm_offset_.push_back(stride - m);
    stride += whole.lmax + 1 - m;
  }
  task_.alm_offset = alm_offset_;
  task_.component_stride = stride;
  task_.map_stride = stride * whole.components;
  for (Index map = 0; map < whole.maps; ++map)
    for (Index c = 0; c < whole.components; ++c)
      for (Index k = range.begin; k < range.end; ++k) {
        const Index m = whole.m[at(k)];
        alm_.add(map * whole.map_stride + c * whole.component_stride + whole.alm_offset[at(k)] + m, whole.lmax + 1 - m);
      }
  const Index width = whole.width();
  for (Index k = range.begin; k < range.end; ++k)
    for (Index b = 0; b < whole.blocks; ++b) {
      const DeltaSlots::Range feel = slots.of_block(b, whole.first_pair[at(k)]);
      block_shift_.push_back(delta_.size() - feel.begin * width);
      delta_.add(whole.block_shift[at(k * whole.blocks + b)] + feel.begin * width, (feel.end - feel.begin) * width);
    }
  task_.block_shift = block_shift_;
}

RingPiece::RingPiece(const fft::RingTask& whole, const SlotSpan& slots)
    : task_(whole),
      rings_(whole.rings.begin() + slots.begin, whole.rings.begin() + slots.end),
      m_shift_(whole.m_shift.size(), 0) {
  for (fft::RingShape& ring : rings_)
    if (ring.partner >= 0) ring.partner -= slots.begin;
  place_delta(whole, slots);
  place_pixels(whole);
  task_.rings = rings_;
  task_.m_shift = m_shift_;
}

// Later slots feel at least the m of those before.
void RingPiece::place_delta(const fft::RingTask& whole, const SlotSpan& slots) {
  const Index width = whole.width();
  Index slot = slots.begin;
  for (Index m = 0; m < static_cast<Index>(whole.m_shift.size()); ++m) {
    while (slot < slots.end && whole.rings[at(slot)].m_count <= m) ++slot;
    if (slot == slots.end) break;
    m_shift_[at(m)] = delta_.size() - (slot - slots.begin) * width;
    delta_.add(whole.m_shift[at(m)] + slot * width, (slots.end - slot) * width);
  }
}

// In the order in which they stand, so that northern rings are one run, and southern ones another.
void RingPiece::place_pixels(const fft::RingTask& whole) {
  std::vector<std::size_t> order(rings_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t slot) { return rings_[slot].pixel; });
  const std::vector<fft::RingShape> there = rings_;
  Index stride = 0;
  for (const std::size_t slot : order) {
    rings_[slot].pixel = stride;
    stride += rings_[slot].nphi;
  }
  task_.component_stride = stride;
  task_.map_stride = stride * whole.components;
  for (Index map = 0; map < whole.maps; ++map)
    for (Index c = 0; c < whole.components; ++c)
      for (const std::size_t slot : order)
        map_.add(map * whole.map_stride + c * whole.component_stride + there[slot].pixel, there[slot].nphi);
}

std::vector<bool> ring_cuts(const fft::RingTask& task) {
  std::vector<bool> cuts;
  Index reach = 0;
  for (Index slot = 0; slot < static_cast<Index>(task.rings.size()); ++slot) {
    reach = std::max({reach, slot, task.rings[at(slot)].partner});
    cuts.push_back(reach == slot);
  }
  return cuts;
}

std::vector<OrderRange> order_ranges(std::span<const Index> bytes, Index room) {
  std::vector<OrderRange> ranges;
  Index taken = 0;
  for (Index k = 0; k < static_cast<Index>(bytes.size()); ++k) {
    if (ranges.empty() || taken + bytes[at(k)] > room) {
      ranges.push_back({k, k});
      taken = 0;
    }
    taken += bytes[at(k)];
    ranges.back().end = k + 1;
  }
  return ranges;
}

std::vector<SlotSpan> slot_ranges(std::span<const Index> bytes, const std::vector<bool>& cuts, Index room) {
  std::vector<SlotSpan> ranges;
  Index taken = 0;
  Index begin = 0;
  Index unit = 0;  // bytes of what cannot be parted
  for (Index slot = 0; slot < static_cast<Index>(bytes.size()); ++slot) {
    unit += bytes[at(slot)];
    if (!cuts[at(slot)]) continue;
    if (ranges.empty() || taken + unit > room) {
      ranges.push_back({begin, begin});
      taken = 0;
    }
    taken += unit;
    ranges.back().end = begin = slot + 1;
    unit = 0;
  }
  return ranges;
}

}  // namespace armilla::backend
