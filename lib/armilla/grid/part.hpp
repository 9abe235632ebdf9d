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

/// Selection of the rings of a grid that form a part of the sky: those with these numbers, those in this band, or, if
/// both are set, the intersection. Neither: all rings.
struct RingSelection {
  std::vector<RingRange> rings = {};  ///< in any order, may overlap
  std::optional<ThetaRange> theta = {};
  bool selects_all() const { return rings.empty() && !theta; }
};

/// The grid of a description without `part`, restricted to some of its rings; pixels are counted from 0 again. A part
/// has no weights, because some of the rings do not suffice for integrals over the sky. Selecting all rings gives the
/// whole grid. For HEALPix of any nside, only the selected rings are created. Throws InputError if the maker of the
/// grid does, for ring numbers that do not exist, a band that is not within [0, pi] or not ascending, and an empty
/// selection.
RingGrid make_part(const GridDescription& whole, const RingSelection& selection);

/// The same for an existing grid. Also throws InputError if it is already a part.
RingGrid part_of(const RingGrid& grid, const RingSelection& selection);

/// The number of each ring in the whole grid.
std::vector<Index> ring_numbers(const RingGrid& grid);

/// The smallest set of ranges that contains these ascending numbers.
std::vector<RingRange> ranges_of(const std::vector<Index>& numbers);

}  // namespace armilla::grid
