#include <armilla/radial/convolution_target.hpp>
#include <armilla/radial/device_tables.hpp>
#include <armilla/radial/pixel_sum.hpp>

#include <algorithm>
#include <optional>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

// Longer sums along a ring use weights from the table of the kernel, because stencils would not stay in the caches.
constexpr Index kLongestStencil = 64;

/// Calls visit(q, crossed, used) for each pair q of the input whose rows with pairs p .. end - 1 are summed in modes.
/// used[j] is the row of pair p + j, if there is one.
template <class Visit>
void for_mode_rows(const RowPlan& plan, Index p, Index end, const Visit& visit) {
  RowPlan::PairRange reach{0, 0};
  for (Index pair = p; pair < end; ++pair)
    if (plan.out_modes(pair) > 0) reach = hull(reach, plan.reach(pair));
  for (Index q = reach.first; q < reach.end; ++q)
    for (bool crossed : {false, true}) {
      std::optional<ModeRow> used[kernels::kRadialPairs];
      bool is_used = false;
      for (Index pair = p; pair < end; ++pair) {
        if (plan.out_modes(pair) > 0) used[pair - p] = plan.mode_row(pair, q, crossed);
        is_used = is_used || used[pair - p];
      }
      if (is_used) visit(q, crossed, used);
    }
}

void add_group(const RowPlan& plan, Index p, Index end, const DeviceModes& in, const DeviceModes& out,
               backend::RadialTables::Target& tables) {
  kernels::RadialPairGroup group{};
  group.first_row = static_cast<Index>(tables.rows.size());
  for (int j = 0; j < kernels::kRadialPairs; ++j) {
    group.slot[j][0] = group.slot[j][1] = -1;
    if (p + j >= end || plan.out_modes(p + j) == 0) continue;
    for (int h = 0; h < 2; ++h) {
      group.slot[j][h] = out.slot(p + j, h == 0);
      if (group.slot[j][h] >= 0) group.modes[j][h] = static_cast<int>(out.modes().rings[at(group.slot[j][h])].m_count);
    }
  }
  for_mode_rows(plan, p, end, [&](Index q, bool crossed, const auto& used) {
    kernels::RadialRowGroup row{};
    for (int h = 0; h < 2; ++h) {
      row.slot[h] = in.slot(q, (h == 0) != crossed);
      if (row.slot[h] >= 0) row.slot_modes[h] = static_cast<int>(in.modes().rings[at(row.slot[h])].m_count);
    }
    for (int j = 0; j < kernels::kRadialPairs; ++j) {
      if (!used[j]) continue;
      kernels::RadialRow& one = row.rows[j];
      for (int h = 0; h < 2; ++h) one.used[h] = used[j]->used[h];
      const RowSampling sampling = plan.sampling(p + j, q, crossed);
      const double step = 2 * kPi / static_cast<double>(sampling.points);
      const auto nyquist = static_cast<int>(sampling.points / 2);
      one.sample = static_cast<Index>(tables.samples.size());
      one.samples = static_cast<int>(plan.add_samples(sampling, used[j]->shape, tables.samples));
      one.modes = std::min(static_cast<int>(sampling.modes), nyquist + 1);
      one.halved = sampling.points % 2 == 0 ? nyquist : -1;
      if (sampling.lattice) {
        one.kind = sampling.half ? kernels::RadialRowKind::kHalfLattice : kernels::RadialRowKind::kLattice;
        group.lattice_step[j] = step;
      } else {
        group.band_step[j] = step;
      }
    }
    tables.rows.push_back(row);
  });
  group.end_row = static_cast<Index>(tables.rows.size());
  if (group.end_row > group.first_row) tables.groups.push_back(group);
}

/// Distance along a ring to which a kernel extends, in pixels; the whole ring if it extends to the opposite point.
double reach_in_pixels(const grid::Ring& in, const RowShape& shape) {
  const auto n = static_cast<double>(in.nphi);
  return shape.phi_end >= kPi ? n : shape.phi_end / (2 * kPi) * n;
}

bool is_stencil(const grid::Ring& out, const grid::Ring& in, const RowShape& shape) {
  return in.nphi == out.nphi && 2 * reach_in_pixels(in, shape) + 1 <= static_cast<double>(kLongestStencil);
}

/// Calls visit(q, north, shape, ring) for the input rings whose rows with a ring of pair p are summed in pixels.
template <class Visit>
void for_pixel_rows(const RowPlan& plan, Index p, bool north, const Visit& visit) {
  const RowPlan::PairRange reach = plan.reach(p);
  for (Index q = reach.first; q < reach.end; ++q)
    for (bool crossed : {false, true}) {
      const grid::Ring* source = ring_of(plan.in(), q, north != crossed);
      if (source == nullptr || !plan.in_pixels(p, q, crossed, north)) continue;
      if (const auto shape = plan.shape(p, q, crossed)) visit(q, north != crossed, *shape, *source);
    }
}

void add_pixel_ring(const RowPlan& plan, Index p, bool north, std::span<const double> areas, const PixelPlaces& in,
                    const PixelPlaces& out, backend::RadialTables::Target& tables) {
  const grid::Ring* ring = ring_of(plan.out(), p, north);
  if (ring == nullptr) return;
  kernels::RadialPixelRing made{static_cast<Index>(tables.pixel_rows.size()), 0,
                                out.first[at(ring_number(plan.out(), p, north))], ring->nphi};
  std::vector<double> weights;
  for_pixel_rows(plan, p, north, [&](Index q, bool in_north, const RowShape& shape, const grid::Ring& source) {
    const Index number = ring_number(plan.in(), q, in_north);
    const double place = (ring->phi0 - source.phi0) / (2 * kPi) * static_cast<double>(source.nphi);
    kernels::RadialPixelRow row{.in_pixel = in.first[at(number)],
                                .in_nphi = source.nphi,
                                .area = areas[at(number)],
                                .weights = -1,
                                .first = 0,
                                .count = 0,
                                .chord = shape.chord,
                                .g2 = shape.g2,
                                .place = place,
                                .reach = reach_in_pixels(source, shape)};
    if (is_stencil(*ring, source, shape)) {
      row.first = row_weights(plan.spec(), shape, source, place, weights);
      row.count = static_cast<Index>(weights.size());
      row.weights = static_cast<Index>(tables.weights.size());
      tables.weights.insert(tables.weights.end(), weights.begin(), weights.end());
    }
    tables.pixel_rows.push_back(row);
  });
  made.end_row = static_cast<Index>(tables.pixel_rows.size());
  if (made.end_row > made.first_row) tables.pixel_rings.push_back(made);
}

/// Calls visit(p, end) for groups of local pairs, which begin at the same pairs for any range.
template <class Visit>
void for_groups(RowPlan::PairRange own, const Visit& visit) {
  for (Index p = own.first / kernels::kRadialPairs * kernels::kRadialPairs; p < own.end; p += kernels::kRadialPairs)
    visit(std::max(p, own.first), std::min(p + kernels::kRadialPairs, own.end));
}

backend::RadialTables::Target make_target(const RowPlan& plan, std::span<const double> areas, const PixelPlaces& in,
                                          const PixelPlaces& out, Index fields, const DeviceModes& in_modes) {
  backend::RadialTables::Target target;
  const RowPlan::PairRange own = plan.own();
  const DeviceModes modes = DeviceModes::of_result(plan, out, fields);
  for_groups(own, [&](Index p, Index end) { add_group(plan, p, end, in_modes, modes, target); });
  for (Index p = own.first; p < own.end; ++p)
    for (bool north : {true, false}) add_pixel_ring(plan, p, north, areas, in, out, target);
  target.modes = modes.modes();
  target.pixels = out.pixels;
  const InterpolatedKernel& table = *plan.spec().device_table;
  target.table = table.coefficients();
  target.table_cells = table.table().cells;
  target.table_cells_per_unit = table.table().cells_per_unit;
  target.table_end = table.table().end;
  return target;
}

}  // namespace

backend::RadialTables make_device_tables(std::span<const RowPlan> plans, std::span<const double> areas,
                                         const PixelPlaces& in, std::span<const PixelPlaces> out, Index fields) {
  backend::RadialTables tables;
  tables.fields = fields;
  tables.in_pixels = in.pixels;
  const grid::RingGrid& grid = plans.front().in();
  const DeviceModes modes = DeviceModes::of_input(plans, in, fields);
  tables.in = modes.modes();
  for (Index q = 0; q < static_cast<Index>(grid.pairs().size()); ++q)
    for (bool north : {true, false})
      if (modes.slot(q, north) >= 0) tables.areas.push_back(areas[at(ring_number(grid, q, north))]);
  for (std::size_t t = 0; t < plans.size(); ++t)
    tables.targets.push_back(make_target(plans[t], areas, in, out[t], fields, modes));
  return tables;
}

Index device_table_bytes(const RowPlan& plan) {
  Index rows = 0, groups = 0, samples = 0, pixel_rows = 0, pixel_rings = 0, weights = 0;
  for_groups(plan.own(), [&](Index p, Index end) {
    ++groups;
    for_mode_rows(plan, p, end, [&](Index q, bool crossed, const auto& used) {
      ++rows;
      for (int j = 0; j < kernels::kRadialPairs; ++j)
        if (used[j]) samples += RowPlan::sample_count(plan.sampling(p + j, q, crossed), used[j]->shape);
    });
  });
  for (Index p = plan.own().first; p < plan.own().end; ++p)
    for (bool north : {true, false}) {
      const grid::Ring* ring = ring_of(plan.out(), p, north);
      if (ring == nullptr) continue;
      ++pixel_rings;
      for_pixel_rows(plan, p, north, [&](Index, bool, const RowShape& shape, const grid::Ring& source) {
        ++pixel_rows;
        if (is_stencil(*ring, source, shape)) weights += static_cast<Index>(2 * reach_in_pixels(source, shape)) + 2;
      });
    }
  const auto bytes = [](Index count, std::size_t each) { return count * static_cast<Index>(each); };
  return bytes(rows, sizeof(kernels::RadialRowGroup)) + bytes(groups, sizeof(kernels::RadialPairGroup)) +
         bytes(pixel_rings, sizeof(kernels::RadialPixelRing)) + bytes(pixel_rows, sizeof(kernels::RadialPixelRow)) +
         bytes(samples + weights + static_cast<Index>(plan.spec().device_table->coefficients().size()), sizeof(double));
}

}  // namespace armilla::radial
