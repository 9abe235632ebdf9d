#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/point_columns.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace armilla::io {

namespace {

struct UsualNames {
  PointCoordinates coordinates;
  std::array<std::string_view, 2> names;
  std::string_view coordsys;  // if the names determine them
};

// In search order. The first of each kind is its default.
constexpr std::array<UsualNames, 8> kUsualNames{{{PointCoordinates::kThetaPhi, {"THETA", "PHI"}, ""},
                                                 {PointCoordinates::kRaDec, {"RA", "DEC"}, "C"},
                                                 {PointCoordinates::kRaDec, {"RA_ICRS", "DE_ICRS"}, "C"},
                                                 {PointCoordinates::kRaDec, {"RAJ2000", "DEJ2000"}, "C"},
                                                 {PointCoordinates::kLonLat, {"LON", "LAT"}, ""},
                                                 {PointCoordinates::kLonLat, {"LONGITUDE", "LATITUDE"}, ""},
                                                 {PointCoordinates::kLonLat, {"GLON", "GLAT"}, "G"},
                                                 {PointCoordinates::kLonLat, {"ELON", "ELAT"}, "E"}}};

// An exact match takes precedence over matches that differ in case.
std::optional<std::size_t> position_of(const std::vector<std::string>& names, std::string_view name) {
  auto found = std::ranges::find(names, name);
  if (found == names.end())
    found = std::ranges::find_if(names, [&](const std::string& other) { return upper(other) == upper(name); });
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

// Throws if a name is ambiguous: several columns match it exactly or, if none does, ignoring case.
void check_one(const std::string& path, const std::vector<std::string>& names, std::string_view name) {
  auto count = std::ranges::count(names, name);
  if (count == 0)
    count = std::ranges::count_if(names, [&](const std::string& other) { return upper(other) == upper(name); });
  if (count > 1)
    throw core::InputError(
        fmt::format("'{}' has {} columns named '{}': rename them, or specify the one to use with its exact case", path,
                    count, name));
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : core::excerpt(fmt::format("{}", fmt::join(names, ", ")));
}

[[noreturn]] void throw_missing(const std::string& path, const std::vector<std::string>& names, std::string_view what,
                                const std::string& wanted) {
  throw core::InputError(
      fmt::format("'{}' has no {} {} (it has {}): specify which of them are the coordinates (in a job, with the keys "
                  "coordinates and columns)",
                  path, what, wanted, listed(names)));
}

PlaceColumns pair_of(const std::string& path, const std::vector<std::string>& names, std::string_view what,
                     PointCoordinates coordinates, const std::array<std::string_view, 2>& wanted) {
  const auto first = position_of(names, wanted[0]);
  const auto second = position_of(names, wanted[1]);
  if (!first || !second) throw_missing(path, names, what, fmt::format("{} and {}", wanted[0], wanted[1]));
  if (*first == *second)
    throw core::InputError(fmt::format("'{}': {} is used for both coordinates: specify two {}", path, wanted[0], what));
  return {coordinates, {*first, *second}};
}

std::array<std::string_view, 2> usual_names(PointCoordinates coordinates) {
  return std::ranges::find(kUsualNames, coordinates, &UsualNames::coordinates)->names;
}

// For names given by the user without their coordinates.
PointCoordinates coordinates_of(const std::string& path, const std::vector<std::string>& given) {
  for (const UsualNames& usual : kUsualNames)
    if (upper(given[0]) == usual.names[0] && upper(given[1]) == usual.names[1]) return usual.coordinates;
  throw core::InputError(
      fmt::format("'{}': the meaning of the columns {} and {} is unknown: specify theta and phi, ra and dec, or lon "
                  "and lat (in a job, with the key coordinates)",
                  path, given[0], given[1]));
}

}  // namespace

bool has_places(const std::vector<std::string>& names) {
  return std::ranges::any_of(kUsualNames, [&](const UsualNames& usual) {
    return position_of(names, usual.names[0]) && position_of(names, usual.names[1]);
  });
}

PlaceColumns find_places(const std::string& path, const std::vector<std::string>& names, const PointColumns& columns,
                         std::string_view what) {
  if (!columns.places.empty()) {
    if (columns.places.size() != 2)
      throw core::InputError(
          fmt::format("'{}': {} coordinate names were specified, but two are needed", path, columns.places.size()));
    const auto coordinates = columns.coordinates ? *columns.coordinates : coordinates_of(path, columns.places);
    const PlaceColumns places = pair_of(path, names, what, coordinates, {columns.places[0], columns.places[1]});
    for (const std::string& name : columns.places) check_one(path, names, name);
    return places;
  }
  if (columns.coordinates) return pair_of(path, names, what, *columns.coordinates, usual_names(*columns.coordinates));
  for (const UsualNames& usual : kUsualNames)
    if (position_of(names, usual.names[0]) && position_of(names, usual.names[1]))
      return pair_of(path, names, what, usual.coordinates, usual.names);
  throw_missing(path, names, what, "theta and phi, ra and dec, or lon and lat");
}

std::vector<std::size_t> find_values(const std::string& path, const std::vector<std::string>& names,
                                     const PlaceColumns& places, const std::vector<std::string>& wanted) {
  // A field may have the same name as a coordinate; its column is then the second one.
  std::vector<std::string> others = names;
  for (const std::size_t place : places.at) others[place].clear();
  std::vector<std::size_t> found;
  for (const std::string& name : wanted) {
    const auto position = position_of(others, name);
    if (!position || name.empty())
      throw core::InputError(
          fmt::format("'{}' has no value column '{}': its columns are {}", path, name, listed(names)));
    check_one(path, others, name);
    if (std::ranges::find(found, *position) != found.end())
      throw core::InputError(fmt::format("'{}': the value column '{}' is specified twice", path, name));
    found.push_back(*position);
  }
  return found;
}

void check_names_differ(const std::string& path, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::ranges::count(names, name) > 1)
      throw core::InputError(
          fmt::format("'{}' has several columns named '{}': rename them", path, core::excerpt(name)));
}

bool are_degrees(const std::string& path, const PlaceColumns& places, const std::vector<std::string>& names,
                 const std::array<std::string, 2>& units) {
  std::array<bool, 2> degrees{};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string unit = upper(trimmed(units[i]));
    const bool is_degree = unit.starts_with("DEG");
    if (!unit.empty() && !is_degree && !unit.starts_with("RAD"))
      throw core::InputError(fmt::format("'{}': {} has the unit '{}': use rad or deg", path, names[places.at[i]],
                                         core::excerpt(units[i])));
    degrees[i] = unit.empty() ? places.coordinates != PointCoordinates::kThetaPhi : is_degree;
  }
  if (degrees[0] != degrees[1])
    throw core::InputError(
        fmt::format("'{}': one of {} and {} is in degrees, the other in radians: use the same unit for both", path,
                    names[places.at[0]], names[places.at[1]]));
  return degrees[0];
}

void check_points(const std::string& path, Index points) {
  if (points < 1) throw core::InputError(fmt::format("'{}' is an empty catalogue: it has no points", path));
}

void complete_metadata(PointsInfo& info) {
  if (!info.metadata.coordsys.empty()) return;
  if (info.coordinates == PointCoordinates::kRaDec) info.metadata.coordsys = coordsys_of("EQUATORIAL");
  for (const UsualNames& usual : kUsualNames)
    if (info.coordinates == usual.coordinates && upper(info.places[0]) == usual.names[0] &&
        upper(info.places[1]) == usual.names[1])
      info.metadata.coordsys = usual.coordsys;
}

std::vector<Index> spins_of(std::string_view list, Index components, const std::string& path) {
  if (trimmed(list).empty()) return {};
  std::vector<Index> spins;
  for (const std::string& part : split_list(list)) {
    Index spin = 0;
    const auto result = std::from_chars(part.data(), part.data() + part.size(), spin);
    if (result.ec == std::errc() && result.ptr == part.data() + part.size() && spin >= kUnknownSpin)
      spins.push_back(spin);
  }
  if (static_cast<Index>(spins.size()) != components)
    throw core::InputError(fmt::format("'{}': spins = '{}': specify one integer for each of the {} value columns", path,
                                       core::excerpt(list), components));
  return spins;
}

std::string list_of_spins(const std::vector<Index>& spins) { return fmt::format("{}", fmt::join(spins, ",")); }

}  // namespace armilla::io
