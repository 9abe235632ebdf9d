#include <armilla/backend/ring_mode_tables.hpp>
#include <armilla/math/ring_aliases.hpp>

#include <algorithm>
#include <map>

namespace armilla::backend {

using core::at;

RingModeTables::RingModeTables(const fft::RingTask& task) {
  const auto slots = static_cast<Index>(task.rings.size());
  const auto orders = static_cast<Index>(task.m_shift.size());
  std::vector<Index> nphi;
  std::vector<double> phi0;
  for (const fft::RingShape& ring : task.rings) {
    nphi.push_back(ring.nphi);
    phi0.push_back(ring.phi0);
  }
  const math::RingAliases aliases(nphi, phi0, std::max<Index>(orders - 1, 0));
  turns_.assign(aliases.turns().begin(), aliases.turns().end());
  first_slot_.assign(at(orders), slots);
  is_alias_.assign(at(orders), false);
  for (Index slot = slots - 1; slot >= 0; --slot) {
    const Index m_count = std::min(task.rings[at(slot)].m_count, orders);
    rings_.push_back({nphi[at(slot)], m_count, aliases.first_turn(slot)});
    for (Index m = 0; m < m_count; ++m) first_slot_[at(m)] = slot;
    for (Index m = nphi[at(slot)] / 2 + 1; m < m_count; ++m) is_alias_[at(m)] = true;
  }
  std::ranges::reverse(rings_);
}

bool RingModeTables::have_aliases(const OrderRange& orders) const {
  return std::find(is_alias_.begin() + orders.begin, is_alias_.begin() + orders.end, true) !=
         is_alias_.begin() + orders.end;
}

std::vector<OrderRange> RingModeTables::independent_ranges() const {
  // For each ring length, the largest number of m that contribute.
  std::map<Index, Index> counts;
  for (const kernels::SpectraRing& ring : rings_) {
    Index& most = counts[ring.nphi];
    most = std::max(most, ring.m_count);
  }
  const auto meets = [&](Index m, Index begin) {
    return std::ranges::any_of(counts, [&](const auto& ring) {
      return m < ring.second && math::RingAlias::of(m, ring.first).previous(ring.first) >= begin;
    });
  };
  std::vector<OrderRange> ranges;
  for (Index m = 0; m < static_cast<Index>(first_slot_.size()); ++m) {
    if (ranges.empty() || meets(m, ranges.back().begin))
      ranges.push_back({m, m + 1});
    else
      ranges.back().end = m + 1;
  }
  return ranges;
}

core::MemoryEstimate RingModeTables::memory(const fft::RingTask& task) {
  const auto orders = static_cast<Index>(task.m_shift.size());
  Index turns = 0;
  for (const fft::RingShape& ring : task.rings) turns += (orders + ring.nphi / 2) / ring.nphi + 2;
  const auto slots = static_cast<Index>(task.rings.size());
  // Factors of rings, factors of maps, and squares of each map on each ring.
  const Index numbers = slots + task.maps + task.maps * slots;
  return {.tables = slots * static_cast<Index>(sizeof(kernels::SpectraRing)) +
                    numbers * static_cast<Index>(sizeof(double)) + turns * static_cast<Index>(sizeof(math::Turn)) +
                    2 * orders * static_cast<Index>(sizeof(Index))};
}

}  // namespace armilla::backend
