#pragma once

#include <armilla/io/metadata.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/points/point_field.hpp>

#include <optional>
#include <string>

namespace armilla::job {

/// Not collective. This rank's part of one map, all components, into place `place` of `map`; pixels without a value
/// become NaN and are counted. Throws InputError.
template <class T>
io::BadPixels read_into(const io::MapInfo& info, const PlannedInput& planned, transform::MapField<T>& map, Index place);
/// The same of coefficients; counts nothing.
template <class T>
io::BadPixels read_into(const io::AlmInfo& info, const PlannedInput& planned, transform::AlmField<T>& alm, Index place);

/// The same of values at points, which must be those of the field (ops::check_same_points); counts nothing.
template <class T>
io::BadPixels read_into(const io::PointsInfo& info, const PlannedInput& planned, points::PointField<T>& values,
                        Index place);

/// Not collective. The points of a catalogue that `rank` of `ranks` holds. Throws InputError.
std::shared_ptr<const points::Places> read_places(const io::PointsInfo& info, int ranks, int rank);

/// Own pixels of map number `place` of which all components are numbers; in read_into() the others have become NaN.
template <class T>
Index count_good_pixels(const transform::MapField<T>& map, Index place);

/// What a map with such pixels, of all ranks together, is refused with: with any bad ones where they are an error, else
/// where they leave nothing of it. `good`: as of count_good_pixels().
std::optional<std::string> bad_pixels_text(const InputSpec& input, const std::string& file, const ValueInfo& info,
                                           const io::BadPixels& bad, Index good);

/// 0 for NaN.
template <class T>
void zero_bad_pixels(transform::MapField<T>& map);

/// The mask of the good pixels of a map whose bad ones are NaN.
template <class T>
transform::MapField<T> good_pixels_of(const transform::MapField<T>& map);

/// The file of map number `item` of an input of a campaign.
const std::string& item_file(const InputSpec& input, Index item);

/// The header of map number `item` of a campaign, which must be like the planned one: the same grid, or lmax and mmax
/// and convention, or the number of points, and the same components, units and coordinates. `Info` is io::MapInfo,
/// io::AlmInfo or io::PointsInfo. Throws InputError.
template <class Info>
Info open_item(const InputSpec& input, const PlannedInput& planned, Index item);

}  // namespace armilla::job
