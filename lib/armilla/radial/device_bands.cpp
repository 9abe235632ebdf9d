#include <armilla/backend/ring_groups.hpp>
#include <armilla/radial/device_bands.hpp>
#include <armilla/radial/device_tables.hpp>

#include <algorithm>
#include <complex>

namespace armilla::radial {

using core::at;

namespace {

constexpr auto kReal = static_cast<Index>(sizeof(double));
constexpr auto kComplex = static_cast<Index>(sizeof(std::complex<double>));

/// Dummy offsets, for counting only.
PixelPlaces no_places(const std::vector<Index>& zeros) { return {zeros, 0}; }

/// Memory of one band, or, for several bands, the maximum of each array: arrays of pixels and modes are allocated once
/// for all bands.
struct BandBytes {
  Index tables = 0, in_pixels = 0, in_modes = 0;
  std::vector<Index> out_pixels, out_modes;  // [target]

  Index total() const {
    Index sum = tables + in_pixels + in_modes;
    for (const Index bytes : out_pixels) sum += bytes;
    for (const Index bytes : out_modes) sum += bytes;
    return sum;
  }
};

// Arrays of pixels have the type of the map; if that is not double, there are also arrays of double.
BandBytes bytes_of(const DeviceBand& band, Index fields, Index bytes_of_real) {
  const grid::RingGrid& in = band.plans.front().in();
  const std::vector<Index> in_zeros(in.rings().size(), 0);
  const Index pixel = fields * (bytes_of_real < kReal ? bytes_of_real + kReal : kReal);
  BandBytes bytes;
  bytes.in_pixels = pixels_of(in, band.needed) * pixel;
  const DeviceModes in_rings = DeviceModes::of_input(band.plans, no_places(in_zeros), fields);
  const auto& in_modes = in_rings.modes();
  bytes.in_modes = in_modes.numbers * kComplex;
  bytes.tables = static_cast<Index>(in_modes.m_shift.size() + in_modes.rings.size()) * kReal;
  for (const RowPlan& plan : band.plans) {
    const std::vector<Index> out_zeros(plan.out().rings().size(), 0);
    bytes.out_pixels.push_back(pixels_of(plan.out(), plan.own()) * pixel);
    const DeviceModes out_rings = DeviceModes::of_result(plan, no_places(out_zeros), fields);
    const auto& out_modes = out_rings.modes();
    bytes.out_modes.push_back(out_modes.numbers * kComplex);
    bytes.tables += device_table_bytes(plan) + static_cast<Index>(out_modes.m_shift.size()) * kReal;
  }
  return bytes;
}

void include(Index& most, Index bytes) { most = std::max(most, bytes); }

BandBytes largest_of(const std::vector<DeviceBand>& bands, Index fields, Index bytes_of_real) {
  BandBytes largest;
  for (const DeviceBand& band : bands) {
    const BandBytes bytes = bytes_of(band, fields, bytes_of_real);
    largest.out_pixels.resize(bytes.out_pixels.size(), 0);
    largest.out_modes.resize(bytes.out_modes.size(), 0);
    include(largest.tables, bytes.tables);
    include(largest.in_pixels, bytes.in_pixels);
    include(largest.in_modes, bytes.in_modes);
    for (std::size_t t = 0; t < bytes.out_pixels.size(); ++t) {
      include(largest.out_pixels[t], bytes.out_pixels[t]);
      include(largest.out_modes[t], bytes.out_modes[t]);
    }
  }
  return largest;
}

}  // namespace

Index pixels_of(const grid::RingGrid& grid, RowPlan::PairRange pairs) {
  Index pixels = 0;
  for (Index pair = pairs.first; pair < pairs.end; ++pair)
    for (bool north : {true, false})
      if (const grid::Ring* ring = ring_of(grid, pair, north)) pixels += ring->nphi;
  return pixels;
}

DeviceBands::DeviceBands(const dist::PixelDistribution& in, const std::vector<ConvolutionTarget>& targets, int rank)
    : in_(in.grid()), targets_(targets) {
  for (const ConvolutionTarget& target : targets) own_.push_back(target.pixels->own_pairs(rank));
}

Index DeviceBands::most_parts() const {
  Index most = 1;
  for (const RowPlan::PairRange& own : own_)
    most = std::max(most, (own.end - own.first + kernels::kRadialPairs - 1) / kernels::kRadialPairs);
  return most;
}

std::vector<DeviceBand> DeviceBands::split(Index parts) const {
  // Groups of pairs are not divided. They begin at the same pairs on any number of ranks.
  const auto cut = [&](RowPlan::PairRange own, Index part) {
    if (part == 0) return own.first;
    if (part == parts) return own.end;
    const Index p = own.first + (own.end - own.first) * part / parts;
    return std::max(own.first, p / kernels::kRadialPairs * kernels::kRadialPairs);
  };
  std::vector<DeviceBand> bands;
  for (Index part = 0; part < parts; ++part) {
    DeviceBand band{{}, {0, 0}};
    bool is_empty = true;
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      const RowPlan::PairRange own{cut(own_[t], part), cut(own_[t], part + 1)};
      is_empty = is_empty && own.first >= own.end;
      const RowPlan& plan = band.plans.emplace_back(in_, targets_[t].pixels->grid(), targets_[t].spec, own);
      band.needed = hull(band.needed, needed_pairs(plan, own));
    }
    if (!is_empty) bands.push_back(std::move(band));
  }
  return bands;
}

std::vector<DeviceBand> DeviceBands::within(Index bytes, Index fields, Index bytes_of_real) const {
  const Index most = most_parts();
  for (Index parts = 1; parts < most; parts *= 2) {
    std::vector<DeviceBand> bands = split(parts);
    if (largest_of(bands, fields, bytes_of_real).total() <= bytes) return bands;
  }
  return split(most);
}

BandMemory DeviceBands::memory(Index fields, Index bytes_of_real) const {
  BandMemory memory;
  const std::vector<DeviceBand> whole = split(1);
  if (whole.empty()) return memory;
  const BandBytes all = largest_of(whole, fields, bytes_of_real);
  const BandBytes least = largest_of(split(most_parts()), fields, bytes_of_real);
  memory.bands = {least.total(), all.total()};
  memory.tables = all.tables;
  const auto add_rings = [&](const grid::RingGrid& grid, const auto& make) {
    const std::vector<Index> zeros(grid.rings().size(), 0);
    const DeviceModes modes = make(no_places(zeros));
    const fft::RingTask task = modes.modes().task(fields, 0);
    if (!task.rings.empty())
      memory.rings += backend::RingGroups(task, {.plain = modes.modes().plain}).memory(task, kReal);
  };
  add_rings(in_, [&](const PixelPlaces& places) { return DeviceModes::of_input(whole.front().plans, places, fields); });
  for (const RowPlan& plan : whole.front().plans)
    add_rings(plan.out(), [&](const PixelPlaces& places) { return DeviceModes::of_result(plan, places, fields); });
  return memory;
}

}  // namespace armilla::radial
