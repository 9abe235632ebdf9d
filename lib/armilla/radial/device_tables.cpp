#include <armilla/radial/device_tables.hpp>
#include <armilla/radial/pixel_sum.hpp>

#include <algorithm>
#include <utility>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

// Longer sums along a ring take their weights from the table of the kernel: stencils would not stay in caches.
constexpr Index kLongestStencil = 64;
// Of the table of the kernel, relative to its largest value.
constexpr double kDeviceTableError = 1e-13;

/// Slots of the rings of each pair, -1 where a ring is not there or its modes are not used.
using Slots = std::vector<std::pair<Index, Index>>;

Index ring_number(const grid::RingGrid& grid, Index pair, bool north) {
  const grid::RingPair& rings = grid.pairs()[at(pair)];
  return north ? rings.north : rings.south;
}

/// Adds the rings of a pair, with that many modes.
std::pair<Index, Index> add_pair(const grid::RingGrid& grid, Index pair, Index modes, bool truncate,
                                 const PixelPlaces& places, backend::RadialTables::Modes& to) {
  std::pair<Index, Index> slots{-1, -1};
  for (bool north : {true, false}) {
    const grid::Ring* ring = ring_of(grid, pair, north);
    if (ring == nullptr) continue;
    (north ? slots.first : slots.second) = static_cast<Index>(to.rings.size());
    to.rings.push_back({.nphi = ring->nphi,
                        .phi0 = ring->phi0,
                        .pixel = places.first[at(ring_number(grid, pair, north))],
                        .m_count = truncate ? std::min(modes, (ring->nphi - 1) / 2 + 1) : modes});
  }
  if (slots.first >= 0 && slots.second >= 0) {
    fft::RingShape& a = to.rings[at(slots.first)];
    fft::RingShape& b = to.rings[at(slots.second)];
    if (a.nphi == b.nphi && a.m_count == b.m_count) {
      a.partner = slots.second;
      b.partner = slots.first;
    }
  }
  return slots;
}

void lay_out(Index fields, backend::RadialTables::Modes& modes) {
  Index most = 0;
  for (const fft::RingShape& ring : modes.rings) most = std::max(most, ring.m_count);
  const Index row = static_cast<Index>(modes.rings.size()) * fields;
  for (Index m = 0; m < most; ++m) modes.m_shift.push_back(m * row);
  modes.numbers = most * row;
}

Index slot_of(const std::pair<Index, Index>& slots, bool north) { return north ? slots.first : slots.second; }

void add_group(const RowPlan& plan, Index p, Index end, const Slots& in_slots, const Slots& out_slots,
               backend::RadialTables& tables) {
  kernels::RadialPairGroup group{};
  group.first_row = static_cast<Index>(tables.rows.size());
  RowPlan::PairRange reach{0, 0};
  for (int j = 0; j < kernels::kRadialPairs; ++j) {
    group.slot[j][0] = group.slot[j][1] = -1;
    if (p + j >= end || plan.samples(p + j) == 0) continue;
    const auto& slots = out_slots[at(p + j - plan.own().first)];
    for (int h = 0; h < 2; ++h) {
      group.slot[j][h] = slot_of(slots, h == 0);
      if (group.slot[j][h] >= 0) group.modes[j][h] = static_cast<int>(tables.out.rings[at(group.slot[j][h])].m_count);
    }
    group.step[j] = 2 * kPi / static_cast<double>(plan.samples(p + j));
    const RowPlan::PairRange here = plan.reach(p + j);
    reach = reach.first >= reach.end
                ? here
                : RowPlan::PairRange{std::min(reach.first, here.first), std::max(reach.end, here.end)};
  }
  for (Index q = reach.first; q < reach.end; ++q)
    for (bool crossed : {false, true}) {
      kernels::RadialRowGroup row{};
      bool is_used = false;
      for (int h = 0; h < 2; ++h) {
        row.slot[h] = slot_of(in_slots[at(q)], (h == 0) != crossed);
        if (row.slot[h] >= 0) row.slot_modes[h] = static_cast<int>(tables.in.rings[at(row.slot[h])].m_count);
      }
      for (int j = 0; j < kernels::kRadialPairs; ++j) {
        if (p + j >= end || plan.samples(p + j) == 0) continue;
        const auto shape = plan.shape(p + j, q, crossed);
        if (!shape) continue;
        kernels::RadialRow& one = row.rows[j];
        for (int h = 0; h < 2; ++h)
          one.used[h] = group.slot[j][h] >= 0 && row.slot[h] >= 0 && !plan.in_pixels(p + j, q, crossed, h == 0);
        if (!one.used[0] && !one.used[1]) continue;
        is_used = true;
        one.sample = static_cast<Index>(tables.samples.size());
        one.samples = static_cast<int>(plan.add_samples(p + j, *shape, tables.samples));
        one.modes = static_cast<int>(plan.modes(p + j, q));
      }
      if (is_used) tables.rows.push_back(row);
    }
  group.end_row = static_cast<Index>(tables.rows.size());
  if (group.end_row > group.first_row || reach.first < reach.end) tables.groups.push_back(group);
}

void add_pixel_ring(const RowPlan& plan, Index p, bool north, std::span<const double> areas, const PixelPlaces& in,
                    const PixelPlaces& out, backend::RadialTables& tables) {
  const grid::Ring* ring = ring_of(plan.out(), p, north);
  if (ring == nullptr) return;
  kernels::RadialPixelRing made{static_cast<Index>(tables.pixel_rows.size()), 0,
                                out.first[at(ring_number(plan.out(), p, north))], ring->nphi};
  const RowPlan::PairRange reach = plan.reach(p);
  std::vector<double> weights;
  for (Index q = reach.first; q < reach.end; ++q)
    for (bool crossed : {false, true}) {
      const grid::Ring* source = ring_of(plan.in(), q, north != crossed);
      if (source == nullptr || !plan.in_pixels(p, q, crossed, north)) continue;
      const auto shape = plan.shape(p, q, crossed);
      if (!shape) continue;
      const Index number = ring_number(plan.in(), q, north != crossed);
      const double width = 2 * kPi / static_cast<double>(source->nphi);
      const double place = (ring->phi0 - source->phi0) / width;
      const double length = static_cast<double>(source->nphi);
      kernels::RadialPixelRow row{.in_pixel = in.first[at(number)],
                                  .in_nphi = source->nphi,
                                  .area = areas[at(number)],
                                  .weights = -1,
                                  .first = 0,
                                  .count = 0,
                                  .chord = shape->chord,
                                  .g2 = shape->g2,
                                  .place = place,
                                  .reach = shape->phi_end >= kPi ? length : shape->phi_end / width};
      if (source->nphi == ring->nphi && 2 * row.reach + 1 <= static_cast<double>(kLongestStencil)) {
        row.first = row_weights(plan.spec(), *shape, *source, place, weights);
        row.count = static_cast<Index>(weights.size());
        row.weights = static_cast<Index>(tables.weights.size());
        tables.weights.insert(tables.weights.end(), weights.begin(), weights.end());
      }
      tables.pixel_rows.push_back(row);
    }
  made.end_row = static_cast<Index>(tables.pixel_rows.size());
  if (made.end_row > made.first_row) tables.pixel_rings.push_back(made);
}

}  // namespace

backend::RadialTables make_device_tables(const RowPlan& plan, std::span<const double> areas, const PixelPlaces& in,
                                         const PixelPlaces& out, Index fields) {
  backend::RadialTables tables;
  tables.fields = fields;
  tables.in_pixels = in.pixels;
  tables.out_pixels = out.pixels;
  const bool truncate = plan.spec().truncate;
  const auto in_pairs = static_cast<Index>(plan.in().pairs().size());
  Slots in_slots, out_slots;
  for (Index q = 0; q < in_pairs; ++q) {
    in_slots.emplace_back(-1, -1);
    if (plan.in_modes(q) > 0) in_slots.back() = add_pair(plan.in(), q, plan.in_modes(q), truncate, in, tables.in);
    for (bool north : {true, false})
      if (slot_of(in_slots.back(), north) >= 0) tables.areas.push_back(areas[at(ring_number(plan.in(), q, north))]);
  }
  for (Index p = plan.own().first; p < plan.own().end; ++p) {
    out_slots.emplace_back(-1, -1);
    if (plan.samples(p) > 0)
      out_slots.back() = add_pair(plan.out(), p, (plan.samples(p) - 1) / 2, truncate, out, tables.out);
  }
  lay_out(fields, tables.in);
  lay_out(fields, tables.out);
  // Groups begin at the same pairs on any number of ranks.
  for (Index p = plan.own().first / kernels::kRadialPairs * kernels::kRadialPairs; p < plan.own().end;
       p += kernels::kRadialPairs)
    add_group(plan, std::max(p, plan.own().first), std::min(p + kernels::kRadialPairs, plan.own().end), in_slots,
              out_slots, tables);
  for (Index p = plan.own().first; p < plan.own().end; ++p)
    for (bool north : {true, false}) add_pixel_ring(plan, p, north, areas, in, out, tables);
  const InterpolatedKernel kernel(*plan.spec().kernel, plan.spec().cutoff, kDeviceTableError);
  tables.table = kernel.coefficients();
  tables.table_cells = kernel.table().cells;
  tables.table_cells_per_unit = kernel.table().cells_per_unit;
  tables.table_end = kernel.table().end;
  return tables;
}

}  // namespace armilla::radial
