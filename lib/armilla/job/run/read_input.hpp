#pragma once

#include <armilla/io/metadata.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/points/point_field.hpp>

#include <optional>
#include <string>

namespace armilla::job {

/// Not collective. Reads this rank's part of one map, all components, into the map `place` of the batch `map`. Pixels
/// without a value become NaN and are counted. Throws InputError.
template <class T>
io::BadPixels read_into(const io::MapInfo& info, const PlannedInput& planned, transform::MapField<T>& map, Index place);
/// Version for coefficients, which counts nothing.
template <class T>
io::BadPixels read_into(const io::AlmInfo& info, const PlannedInput& planned, transform::AlmField<T>& alm, Index place);

/// Version for values at points, whose points must equal those of the field (ops::check_same_points); counts nothing.
template <class T>
io::BadPixels read_into(const io::PointsInfo& info, const PlannedInput& planned, points::PointField<T>& values,
                        Index place);

/// Not collective. Reads the points of a catalogue held by `rank` of `ranks`. Throws InputError.
std::shared_ptr<const points::LocalPoints> read_places(const io::PointsInfo& info, int ranks, int rank);

/// Number of own pixels of the map with index `place` for which no component is NaN. read_into() sets missing values to
/// NaN.
template <class T>
Index count_good_pixels(const transform::MapField<T>& map, Index place);

/// Error message for a map with this number of good pixels over all ranks; std::nullopt if it is accepted. A map is
/// rejected if bad pixels are an error and it has any, or if no good pixels remain. `good`: from count_good_pixels().
std::optional<std::string> bad_pixels_text(const InputSpec& input, const std::string& file, const ValueInfo& info,
                                           const io::BadPixels& bad, Index good);

/// Replaces NaN by 0.
template <class T>
void zero_bad_pixels(transform::MapField<T>& map);

/// The mask of the good pixels of a map whose bad pixels are NaN.
template <class T>
transform::MapField<T> good_pixels_of(const transform::MapField<T>& map);

/// The file of the map with index `item` of an input of a campaign.
const std::string& item_file(const InputSpec& input, Index item);

/// Opens the map with index `item` of a campaign and checks that it matches the planned one. Its grid, or lmax, mmax
/// and convention, or its number of points must be equal, and so must components, units and coordinates. `Info` is
/// io::MapInfo, io::AlmInfo or io::PointsInfo. Throws InputError.
template <class Info>
Info open_item(const InputSpec& input, const PlannedInput& planned, Index item);

}  // namespace armilla::job
