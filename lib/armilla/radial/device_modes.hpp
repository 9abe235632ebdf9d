#pragma once

#include <armilla/backend/radial_tables.hpp>
#include <armilla/radial/row_plan.hpp>

#include <span>
#include <vector>

namespace armilla::radial {

/// Where the pixels of a field are: the first of each ring of the grid, and how many there are.
struct PixelPlaces {
  std::span<const Index> first;  ///< [ring of the grid]
  Index pixels;
};

/// Rings whose modes a device has, by pairs.
class DeviceModes {
 public:
  /// Those of the input that the plans, one for each target, need; in() of all is one grid. `fields` side by side.
  static DeviceModes of_input(std::span<const RowPlan> plans, const PixelPlaces& places, Index fields);
  /// Those of the result, for the own pairs of the plan.
  static DeviceModes of_result(const RowPlan& plan, const PixelPlaces& places, Index fields);

  const backend::RadialTables::Modes& modes() const { return modes_; }
  /// Number of a ring among them; -1 where it is not there or its modes are not used.
  Index slot(Index pair, bool north) const { return slots_[core::at(2 * (pair - first_) + (north ? 0 : 1))]; }

 private:
  explicit DeviceModes(Index first_pair) : first_(first_pair) {}
  /// The next pair, with that many modes; 0: they are not used.
  void add(const grid::RingGrid& grid, Index pair, Index modes, bool truncate, const PixelPlaces& places);
  void finish(const grid::RingGrid& grid, Index fields);

  Index first_;
  std::vector<Index> slots_;  // [pair, north, south]
  backend::RadialTables::Modes modes_;
};

/// The ring of the grid of a pair in a hemisphere; -1 where there is none.
Index ring_number(const grid::RingGrid& grid, Index pair, bool north);

}  // namespace armilla::radial
