#pragma once

#include <armilla/grid/ring_grid.hpp>

#include <optional>
#include <vector>

namespace armilla::grid {

/// Colatitudes of a band [rad], ends included.
struct ThetaRange {
  double first;
  double last;
};

/// Selection of the rings of a grid that form a part of the sky: the rings with these indices, or the rings in this
/// band. If both are set, it is the intersection; if neither is set, all rings.
struct RingSelection {
  std::vector<RingRange> rings = {};  ///< in any order, may overlap
  std::optional<ThetaRange> theta = {};
  bool selects_all() const { return rings.empty() && !theta; }
};

/// The grid of a description without `part`, restricted to some of its rings; pixels are counted from 0 again. A part
/// has no weights, because some of the rings are not sufficient for integrals over the sky. Selecting all rings gives
/// the whole grid. For HEALPix of any nside, only the selected rings are created. Throws InputError if the maker of the
/// grid does, for ring indices that do not exist, a band that is not within [0, pi] or not ascending, and an empty
/// selection.
RingGrid make_part(const GridDescription& whole, const RingSelection& selection);

/// Variant for an existing grid. Also throws InputError if it is already a part.
RingGrid part_of(const RingGrid& grid, const RingSelection& selection);

/// The index of each ring in the whole grid.
std::vector<Index> ring_numbers(const RingGrid& grid);

/// The smallest set of ranges that contains these ascending indices.
std::vector<RingRange> ranges_of(const std::vector<Index>& numbers);

}  // namespace armilla::grid
