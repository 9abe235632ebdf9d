#pragma once

#include <armilla/io/points.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

/// The columns of a catalogue with the point coordinates.
struct PlaceColumns {
  PointCoordinates coordinates = PointCoordinates::kThetaPhi;
  std::array<std::size_t, 2> at{};  ///< in the order of PointColumns::places
};

/// True if one of the usual pairs of names is among `names`, ignoring case.
bool has_places(const std::vector<std::string>& names);

/// The coordinate columns among `names`, ignoring case. `what` is "columns" or "datasets". Throws InputError, which
/// lists the available names.
PlaceColumns find_places(const std::string& path, const std::vector<std::string>& names, const PointColumns& columns,
                         std::string_view what);

/// Positions of the columns `wanted` among `names`, ignoring case, excluding `places`. Throws like find_places().
std::vector<std::size_t> find_values(const std::string& path, const std::vector<std::string>& names,
                                     const PlaceColumns& places, const std::vector<std::string>& wanted);

/// Throws InputError for value columns with equal names.
void check_names_differ(const std::string& path, const std::vector<std::string>& names);

/// Whether the two coordinate columns are in degrees, from the units in the file or, if these are empty, from the usual
/// unit of the coordinates. Throws InputError for other units, or for two different units.
bool are_degrees(const std::string& path, const PlaceColumns& places, const std::vector<std::string>& names,
                 const std::array<std::string, 2>& units);

/// Throws InputError unless there is at least one point.
void check_points(const std::string& path, Index points);

/// Derives missing metadata from names in the file: C for coordinates with equatorial names.
void complete_metadata(PointsInfo& info);

/// Parses spins from a list such as "0,2,2"; empty if the list is empty. Throws InputError unless it has one integer
/// for each component.
std::vector<Index> spins_of(std::string_view list, Index components, const std::string& path);
/// Formats spins as such a list.
std::string list_of_spins(const std::vector<Index>& spins);

}  // namespace armilla::io
