#include <armilla/core/error.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/foreign_files.hpp>
#include <armilla/io/hdf5_table.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/polarisation.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

namespace {

// HDF5: the values of all components.
constexpr const char* kValues = "VALUES";

// The coordinates are two datasets of the root group.
TableParts hdf5_parts(const std::string& path, const PointColumns& columns) {
  if (!columns.values.empty())
    throw core::InputError(fmt::format(
        "'{}' is HDF5, where the values are the rows of dataset 'values': remove the names of value columns", path));
  const Hdf5Handle file = open_hdf5(path);
  const std::vector<std::string> names = hdf5_names(file.get(), path);
  TableParts parts;
  for (const std::size_t at : find_places(path, names, columns, "datasets").at) parts.datasets.push_back(names[at]);
  refuse_netcdf(file.get(), parts.datasets[0], parts.datasets[1], path);
  for (const std::string& name : names)
    if (parts.components.empty() && upper(name) == kValues) parts.components = name;
  return parts;
}

void check_column(const Table& table, std::size_t column, Index per_row) {
  const TableColumn& asked = table.columns[column];
  if (table.format == TableFormat::kFits && !asked.has_values)
    throw core::InputError(
        fmt::format("'{}': column {} ('{}') does not contain real numbers", table.path, column + 1, asked.name));
  if (asked.per_row != per_row)
    throw core::InputError(
        fmt::format("'{}': column '{}' has {} values per row, but the coordinates have {}: the numbers must match",
                    table.path, asked.name, asked.per_row, per_row));
}

// All columns of numbers other than the coordinates.
std::vector<std::size_t> all_values(const Table& table, const PlaceColumns& places) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (std::ranges::find(places.at, i) == places.at.end() && table.columns[i].has_values &&
        table.columns[i].per_row == table.columns[places.at[0]].per_row)
      found.push_back(i);
  return found;
}

// The entries of some columns in a list for the columns `listed`.
template <class T>
std::vector<T> those_of(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& listed,
                        const std::vector<T>& list) {
  std::vector<T> own;
  for (const std::size_t column : columns)
    if (!list.empty())
      own.push_back(list[static_cast<std::size_t>(std::ranges::find(listed, column) - listed.begin())]);
  return own;
}

// The metadata of some value columns. Lists of spins and units in the file are about all of them.
FieldMetadata metadata_of(const Table& table, const PlaceColumns& places, const std::vector<std::size_t>& values) {
  std::vector<std::size_t> listed = all_values(table, places);
  for (const std::size_t i : values)
    if (std::ranges::find(listed, i) == listed.end()) listed.push_back(i);
  const FieldMetadata all = table_metadata(table, listed);
  Table named = table;  // names have their own meaning among the chosen columns
  named.keywords.erase("SPINS");
  named.keywords.erase("UNIT");
  FieldMetadata metadata = table_metadata(named, values);
  if (!table.keyword("UNIT").empty()) metadata.units = those_of(values, listed, all.units);
  if (!table.keyword("SPINS").empty()) {
    metadata.spins = those_of(values, listed, all.spins);
    metadata.roles = those_of(values, listed, all.roles);
  }
  return metadata;
}

void add_values(PointsInfo& info, const PlaceColumns& places, const std::vector<std::size_t>& values) {
  info.components = static_cast<Index>(values.size());
  info.precision = values.empty() ? Precision::kDouble : Precision::kSingle;
  std::vector<std::string> names;
  for (const std::size_t i : values) {
    info.precision = std::max(info.precision, info.columns[i].precision);
    names.push_back(info.columns[i].name);
    info.chosen.push_back(i);
  }
  check_names_differ(info.path, names);
  info.metadata = metadata_of(info, places, values);
  complete_metadata(info);
  check_polcconv(info.path, info.metadata);
}

}  // namespace

PointsInfo open_points(const std::string& path, const PointColumns& columns) {
  const bool is_hdf5 = table_format(path) == TableFormat::kHdf5;
  PointsInfo info{open_table(path, is_hdf5 ? hdf5_parts(path, columns) : TableParts{.header = columns.places})};
  std::vector<std::string> names = info.names();
  if (is_hdf5) names.resize(2);  // the names of components are fields
  const PlaceColumns places = find_places(path, names, columns, "columns");
  const TableColumn &first = info.columns[places.at[0]], &second = info.columns[places.at[1]];
  for (const std::size_t at : places.at) check_column(info, at, first.per_row);
  info.points = info.count(places.at[0]);
  check_points(path, info.points);
  info.coordinates = places.coordinates;
  info.places = {first.name, second.name};
  info.place_precision = std::max(first.precision, second.precision);
  info.in_degrees = are_degrees(path, places, names, {first.unit, second.unit});
  info.chosen.assign(places.at.begin(), places.at.end());
  const std::vector<std::size_t> values =
      columns.values.empty() ? all_values(info, places) : find_values(path, names, places, columns.values);
  for (const std::size_t i : values) check_column(info, i, first.per_row);
  add_values(info, places, values);
  return info;
}

TableFormat point_format_of_name(const std::string& path) {
  const std::string ending = name_ending(path);
  std::vector<std::string_view> known;
  for (const TableFormatRow& row : table_formats()) {
    if (std::ranges::find(row.endings, ending) != row.endings.end()) return row.format;
    known.insert(known.end(), row.endings.begin(), row.endings.end());
  }
  throw core::InputError(fmt::format("'{}': the extension '{}' is not supported for points: use {}", path, ending,
                                     fmt::join(known, ", ")));
}

Index points_file_bytes(const std::string& path, Index points, Index components, Precision precision) {
  // Mean length in text of a number and a separator: theta and phi, such as "1.2345678901234567,", and values, some of
  // which have a sign, or leading zeros or an exponent.
  constexpr Index kPlaceText = 19, kValueText = 21;
  constexpr Index kTextHeader = 128, kHeaders = 8 * 2880;
  const bool is_text = point_format_of_name(path) == TableFormat::kText;
  const Index number = is_text ? kValueText : precision == Precision::kSingle ? 4 : 8;
  return core::saturating_sum(is_text ? kTextHeader : kHeaders,
                              core::saturating_product(points, 2 * (is_text ? kPlaceText : 8) + components * number));
}

}  // namespace armilla::io
