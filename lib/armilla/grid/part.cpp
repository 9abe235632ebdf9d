#include <armilla/core/error.hpp>
#include <armilla/grid/healpix.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace armilla::grid {

namespace {

// Bands are specified in decimal degrees; a ring on the boundary is included. Rings of nside 2^29 are 1e-9 apart.
constexpr double kEdge = 1e-12;

// Sorts ranges and merges overlapping and adjacent ones. Throws for ring indices outside 0 .. count - 1.
std::vector<RingRange> joined(std::vector<RingRange> ranges, Index count, const std::string& grid) {
  for (const RingRange& range : ranges) {
    if (range.first > range.last)
      throw core::InputError(
          fmt::format("rings = [{}, {}]: the first ring of a range must not exceed the last", range.first, range.last));
    for (const Index ring : {range.first, range.last})
      if (ring < 0 || ring >= count)
        throw core::InputError(fmt::format(
            "rings: ring {} does not exist on {}: its rings are 0 .. {} from north to south", ring, grid, count - 1));
  }
  std::ranges::sort(ranges, {}, &RingRange::first);
  std::vector<RingRange> result;
  for (const RingRange& range : ranges) {
    if (!result.empty() && range.first <= result.back().last + 1)
      result.back().last = std::max(result.back().last, range.last);
    else
      result.push_back(range);
  }
  return result;
}

// Index of the first ring of 0 .. count - 1 for which `beyond` is true; it changes from false to true once.
template <class Beyond>
Index first_ring(Index count, const Beyond& beyond) {
  Index low = 0;
  Index high = count;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (beyond(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Resolves a selection of the rings 0 .. count - 1; theta(ring) increases.
template <class Theta>
std::vector<RingRange> select(const RingSelection& selection, Index count, const std::string& grid,
                              const Theta& theta) {
  std::vector<RingRange> ranges{{0, count - 1}};
  if (!selection.rings.empty()) ranges = joined(selection.rings, count, grid);
  if (!selection.theta) return ranges;
  const double first = selection.theta->first;
  const double last = selection.theta->last;
  const double degrees = 180 / core::kPi;
  const auto band = [&] {
    return fmt::format("colatitude {:.10g} .. {:.10g} degrees", first * degrees, last * degrees);
  };
  if (!(first >= 0 && first <= last && last <= core::kPi + kEdge))
    throw core::InputError(
        fmt::format("{} is not a valid range: use 0 <= first <= last <= 180, with 0 at the north pole", band()));
  const Index begin = first_ring(count, [&](Index ring) { return theta(ring) >= first - kEdge; });
  const Index end = first_ring(count, [&](Index ring) { return theta(ring) > last + kEdge; });
  std::vector<RingRange> result;
  for (const RingRange& range : ranges) {
    const RingRange both{std::max(range.first, begin), std::min(range.last, end - 1)};
    if (both.first <= both.last) result.push_back(both);
  }
  if (result.empty() && begin < end)
    throw core::InputError(
        fmt::format("none of the selected rings is at {}, where {} has rings {} .. {}: change the rings or the band",
                    band(), grid, begin, end - 1));
  if (result.empty()) {
    const Index north = std::max<Index>(begin - 1, 0);
    const Index south = std::min(begin, count - 1);
    throw core::InputError(fmt::format(
        "no ring of {} is at {} (the nearest are ring {} at {:.10g} and ring {} at {:.10g}): widen the band", grid,
        band(), north, theta(north) * degrees, south, theta(south) * degrees));
  }
  return result;
}

bool are_all(const std::vector<RingRange>& ranges, Index count) {
  return ranges.size() == 1 && ranges.front() == RingRange{0, count - 1};
}

template <class Visit>
void for_each_ring(const std::vector<RingRange>& ranges, const Visit& visit) {
  for (const RingRange& range : ranges)
    for (Index ring = range.first; ring <= range.last; ++ring) visit(ring);
}

RingGrid part_with(GridDescription whole, std::vector<RingRange> ranges, std::vector<Ring> rings,
                   AnalysisLimits limits) {
  for (Ring& ring : rings) ring.weight = 0;
  whole.part = std::move(ranges);
  return RingGrid(std::move(whole), std::move(rings), false, std::move(limits));
}

RingGrid make_healpix_part(const GridDescription& whole, const RingSelection& selection) {
  const Index nside = whole.nside;
  check_nside(nside);
  const Index count = healpix_ring_count(nside);
  std::vector<RingRange> ranges =
      select(selection, count, whole.text(), [&](Index ring) { return healpix_ring(nside, ring).theta; });
  if (are_all(ranges, count)) return make_healpix(nside);
  Index selected = 0;
  for (const RingRange& range : ranges) selected += range.last - range.first + 1;
  check_ring_count("healpix.nside", nside, selected);
  std::vector<Ring> rings;
  for_each_ring(ranges, [&](Index ring) { rings.push_back(healpix_ring(nside, ring)); });
  const Index lmax = 3 * nside - 1;
  return part_with(whole, std::move(ranges), std::move(rings), {lmax, lmax, "3 nside - 1", "3 nside - 1"});
}

}  // namespace

RingGrid make_part(const GridDescription& whole, const RingSelection& selection) {
  if (selection.selects_all()) return make_grid(whole);
  if (whole.kind == "healpix") return make_healpix_part(whole, selection);
  return part_of(make_grid(whole), selection);
}

RingGrid part_of(const RingGrid& grid, const RingSelection& selection) {
  if (selection.selects_all()) return grid;
  if (!grid.description().is_whole())
    throw core::InputError(
        fmt::format("{} already covers only part of the sky: select rings of the whole grid, or select all of it",
                    grid.description().text()));
  const auto at = [&](Index ring) -> const Ring& { return grid.rings()[static_cast<std::size_t>(ring)]; };
  const auto count = static_cast<Index>(grid.rings().size());
  std::vector<RingRange> ranges =
      select(selection, count, grid.description().text(), [&](Index ring) { return at(ring).theta; });
  if (are_all(ranges, count)) return grid;
  std::vector<Ring> rings;
  for_each_ring(ranges, [&](Index ring) { rings.push_back(at(ring)); });
  return part_with(grid.description(), std::move(ranges), std::move(rings), grid.analysis_limits());
}

std::vector<Index> ring_numbers(const RingGrid& grid) {
  std::vector<Index> numbers;
  numbers.reserve(grid.rings().size());
  if (grid.description().is_whole())
    for (std::size_t ring = 0; ring < grid.rings().size(); ++ring) numbers.push_back(static_cast<Index>(ring));
  else
    for_each_ring(grid.description().part, [&](Index ring) { numbers.push_back(ring); });
  return numbers;
}

std::vector<RingRange> ranges_of(const std::vector<Index>& numbers) {
  std::vector<RingRange> ranges;
  for (const Index number : numbers) {
    if (!ranges.empty() && ranges.back().last + 1 == number)
      ++ranges.back().last;
    else
      ranges.push_back({number, number});
  }
  return ranges;
}

}  // namespace armilla::grid
