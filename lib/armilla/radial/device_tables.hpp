#pragma once

#include <armilla/backend/radial_tables.hpp>
#include <armilla/radial/row_plan.hpp>

#include <span>

namespace armilla::radial {

/// Where the pixels of a field are: the first of each ring of the grid, and how many there are.
struct PixelPlaces {
  std::span<const Index> first;  ///< [ring of the grid]
  Index pixels;
};

/// What a device needs to convolve `fields` fields at once for the own pairs of the plan. `areas` [ring of the input's
/// grid] of a pixel. All rings in reach have a place in `in`.
backend::RadialTables make_device_tables(const RowPlan& plan, std::span<const double> areas, const PixelPlaces& in,
                                         const PixelPlaces& out, Index fields);

}  // namespace armilla::radial
