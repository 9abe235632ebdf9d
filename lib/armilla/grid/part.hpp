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

/// Which rings of a grid make up a part of the sky: those of these numbers, those in this band, or, where both are
/// given, those in both. Neither: all rings.
struct RingSelection {
  std::vector<RingRange> rings = {};  ///< in any order, may overlap
  std::optional<ThetaRange> theta = {};
  bool selects_all() const { return rings.empty() && !theta; }
};

/// The grid that a description without `part` stands for, cut down to some of its rings; pixels count from 0 again. A
/// part has no weights: no rule integrates over the sky from some of its rings. All rings give the whole grid. HEALPix
/// of any nside is cut before it is made. Throws InputError for what its maker refuses, ring numbers that do not exist,
/// a band that is not within [0, pi] or not ascending, and a selection that holds no ring.
RingGrid make_part(const GridDescription& whole, const RingSelection& selection);

/// The same of a grid that is there. Throws InputError also for what is a part already.
RingGrid part_of(const RingGrid& grid, const RingSelection& selection);

/// For each ring its number in the whole grid.
std::vector<Index> ring_numbers(const RingGrid& grid);

/// The shortest ranges that hold these ascending numbers.
std::vector<RingRange> ranges_of(const std::vector<Index>& numbers);

}  // namespace armilla::grid
