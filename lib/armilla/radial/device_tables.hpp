#pragma once

#include <armilla/backend/radial_tables.hpp>
#include <armilla/radial/device_modes.hpp>

#include <span>

namespace armilla::radial {

/// Builds the tables with which a device convolves `fields` fields at once for the local pairs of the plans. There is
/// one plan for each target, each with a device_table. `areas` [ring of the input's grid] is the area of a pixel. `in`
/// must contain an offset for each ring within reach.
backend::RadialTables make_device_tables(std::span<const RowPlan> plans, std::span<const double> areas,
                                         const PixelPlaces& in, std::span<const PixelPlaces> out, Index fields);

/// Size of the tables of one plan in bytes, without those of its ring FFTs.
Index device_table_bytes(const RowPlan& plan);

}  // namespace armilla::radial
