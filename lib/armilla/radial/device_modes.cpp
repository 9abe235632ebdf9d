#include <armilla/backend/ring_groups.hpp>
#include <armilla/radial/device_modes.hpp>

#include <algorithm>

namespace armilla::radial {

using core::at;

Index ring_number(const grid::RingGrid& grid, Index pair, bool north) {
  const grid::RingPair& rings = grid.pairs()[at(pair)];
  return north ? rings.north : rings.south;
}

void DeviceModes::add(const grid::RingGrid& grid, Index pair, Index modes, bool truncate, const PixelPlaces& places) {
  const std::size_t before = modes_.rings.size();
  for (bool north : {true, false}) {
    const grid::Ring* ring = ring_of(grid, pair, north);
    if (ring == nullptr || modes == 0) {
      slots_.push_back(-1);
      continue;
    }
    slots_.push_back(static_cast<Index>(modes_.rings.size()));
    modes_.rings.push_back({.nphi = ring->nphi,
                            .phi0 = ring->phi0,
                            .pixel = places.first[at(ring_number(grid, pair, north))],
                            .m_count = truncate ? std::min(modes, (ring->nphi - 1) / 2 + 1) : modes});
  }
  if (modes_.rings.size() < before + 2) return;
  fft::RingShape& a = modes_.rings[before];
  fft::RingShape& b = modes_.rings[before + 1];
  if (a.nphi != b.nphi || a.m_count != b.m_count) return;
  a.partner = static_cast<Index>(before) + 1;
  b.partner = static_cast<Index>(before);
}

void DeviceModes::finish(const grid::RingGrid& grid, Index fields) {
  Index most = 0;
  for (const fft::RingShape& ring : modes_.rings) most = std::max(most, ring.m_count);
  const Index row = static_cast<Index>(modes_.rings.size()) * fields;
  for (Index m = 0; m < most; ++m) modes_.m_shift.push_back(m * row);
  modes_.numbers = most * row;
  std::vector<Index> lengths;
  for (const grid::Ring& ring : grid.rings()) lengths.push_back(ring.nphi);
  modes_.plain = backend::plain_lengths(lengths);
}

DeviceModes DeviceModes::of_input(std::span<const RowPlan> plans, const PixelPlaces& places, Index fields) {
  const grid::RingGrid& grid = plans.front().in();
  DeviceModes made(0);
  for (Index q = 0; q < static_cast<Index>(grid.pairs().size()); ++q) {
    Index modes = 0;
    bool truncate = true;
    for (const RowPlan& plan : plans)
      if (plan.in_modes(q) > 0) {
        modes = std::max(modes, plan.in_modes(q));
        truncate = truncate && plan.spec().truncate;
      }
    made.add(grid, q, modes, truncate, places);
  }
  made.finish(grid, fields);
  return made;
}

DeviceModes DeviceModes::of_result(const RowPlan& plan, const PixelPlaces& places, Index fields) {
  DeviceModes made(plan.own().first);
  for (Index p = plan.own().first; p < plan.own().end; ++p)
    made.add(plan.out(), p, plan.out_modes(p), plan.spec().truncate, places);
  made.finish(plan.out(), fields);
  return made;
}

}  // namespace armilla::radial
