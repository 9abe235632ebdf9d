#pragma once

#include <armilla/backend/radial_tables.hpp>
#include <armilla/radial/row_plan.hpp>

#include <span>
#include <vector>

namespace armilla::radial {

/// Location of the pixels of a field: the first pixel of each ring of the grid, and the number of pixels.
struct PixelPlaces {
  std::span<const Index> first;  ///< [ring of the grid]
  Index pixels;
};

/// The rings whose modes are on a device, by pairs.
class DeviceModes {
 public:
  /// The rings of the input that the plans, one for each target, need; all plans have the same in(). `fields` is the
  /// number of adjacent fields.
  static DeviceModes of_input(std::span<const RowPlan> plans, const PixelPlaces& places, Index fields);
  /// The rings of the result, for the local pairs of the plan.
  static DeviceModes of_result(const RowPlan& plan, const PixelPlaces& places, Index fields);

  const backend::RadialTables::Modes& modes() const { return modes_; }
  /// Slot of a ring; -1 if the ring is absent or its modes are not used.
  Index slot(Index pair, bool north) const { return slots_[core::at(2 * (pair - first_) + (north ? 0 : 1))]; }

 private:
  explicit DeviceModes(Index first_pair) : first_(first_pair) {}
  /// Appends the next pair, with this number of modes; 0 if its modes are not used.
  void add(const grid::RingGrid& grid, Index pair, Index modes, bool truncate, const PixelPlaces& places);
  void finish(const grid::RingGrid& grid, Index fields);

  Index first_;
  std::vector<Index> slots_;  // [pair, north, south]
  backend::RadialTables::Modes modes_;
};

/// Index in the grid of the ring for a pair and a hemisphere; -1 if there is none.
Index ring_number(const grid::RingGrid& grid, Index pair, bool north);

}  // namespace armilla::radial
