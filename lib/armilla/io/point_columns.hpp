#pragma once

#include <armilla/io/points.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

/// Which of the columns of a catalogue give the places.
struct PlaceColumns {
  PointCoordinates coordinates = PointCoordinates::kThetaPhi;
  std::array<std::size_t, 2> at{};  ///< in the order of PointColumns::places
};

/// True if one of the pairs of usual names is among `names`, in any case.
bool has_places(const std::vector<std::string>& names);

/// The columns of coordinates among `names`, in any case. `what` are they, "columns" or "datasets". Throws InputError
/// that lists those that are there.
PlaceColumns find_places(const std::string& path, const std::vector<std::string>& names, const PointColumns& columns,
                         std::string_view what);

/// Positions of the columns `wanted` among `names`, in any case, but not at `places`. Throws as find_places().
std::vector<std::size_t> find_values(const std::string& path, const std::vector<std::string>& names,
                                     const PlaceColumns& places, const std::vector<std::string>& wanted);

/// The fields that columns of values hold (field_of_column). Where several would be one field, only a column that is
/// called as the field is keeps it, and the others have their own names. Throws InputError for columns of one name.
std::vector<std::string> fields_of_columns(const std::string& path, const std::vector<std::string>& names);

/// Whether the two columns of coordinates are in degrees, by the units that the file gives or, where these are empty,
/// as is usual for the coordinates. Throws InputError for other units, or one of each.
bool are_degrees(const std::string& path, const PlaceColumns& places, const std::vector<std::string>& names,
                 const std::array<std::string, 2>& units);

/// Throws InputError unless there is a point.
void check_points(const std::string& path, Index points);

/// What is derived from a file's own words: C for coordinates that are equatorial by their names.
void complete_metadata(PointsInfo& info);

/// Spins from a list such as "0,2,2"; nothing if empty. Throws InputError for others than one whole number for each
/// component.
std::vector<Index> spins_of(std::string_view list, Index components, const std::string& path);
/// The list for spins.
std::string list_of_spins(const std::vector<Index>& spins);

}  // namespace armilla::io
