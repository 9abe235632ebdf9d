#include <armilla/core/error.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_map_table.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/multi_order.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::io {

namespace {

// The columns that have one value for each of an index column.
MapTable indexed_table(const FitsColumn& index, const std::vector<FitsColumn>& columns, Index rows) {
  MapTable table{.maps = {}, .pixel = index, .values = rows * index.repeat};
  for (const FitsColumn& column : columns)
    if (column.number != index.number && column.has_values() && column.repeat == index.repeat)
      table.maps.push_back(column);
  return table;
}

bool has_explicit_index(const FitsFile& file, const std::vector<FitsColumn>& columns) {
  const std::string scheme = upper(fits_text_or_primary(file, "INDXSCHM").value_or(""));
  if (!scheme.empty() && scheme != "EXPLICIT" && scheme != "IMPLICIT")
    throw core::InputError(fmt::format("'{}': INDXSCHM = '{}' must be IMPLICIT or EXPLICIT", file.name(), scheme));
  if (!scheme.empty()) return scheme == "EXPLICIT";
  const std::string object = upper(fits_text_or_primary(file, "OBJECT").value_or(""));
  return object == "PARTIAL" || (!columns.empty() && upper(columns.front().name) == "PIXEL");
}

MapTable explicit_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index rows) {
  const auto named = std::ranges::find_if(columns, [](const FitsColumn& c) { return upper(c.name) == "PIXEL"; });
  const FitsColumn& pixel = named != columns.end() ? *named : columns.front();
  if (!pixel.is_integer())
    throw core::InputError(fmt::format(
        "'{}': INDXSCHM is EXPLICIT, but column '{}' does not contain integers: name the index column PIXEL",
        file.name(), pixel.name));
  return indexed_table(pixel, columns, rows);
}

MapTable implicit_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index rows, Index npix) {
  MapTable table{.maps = {}, .pixel = {}, .values = npix};
  for (const FitsColumn& column : columns)
    if (column.has_values() && column.repeat * rows == npix) table.maps.push_back(column);
  if (!table.maps.empty()) return table;
  for (const FitsColumn& column : columns)
    if (column.has_values() && rows == npix)
      throw core::InputError(fmt::format(
          "'{}': column '{}' has {} values for each of the {} pixels, as spectral cubes do: write one column "
          "with a single value per row for each map, for example with healpy.write_map()",
          file.name(), column.name, column.repeat, npix));
  for (const FitsColumn& column : columns)
    if (column.has_values())
      throw core::InputError(fmt::format(
          "'{}': column '{}' has {} pixels, but NSIDE requires {}: correct NSIDE, or restore the truncated data",
          file.name(), column.name, column.repeat * rows, npix));
  return table;
}

}  // namespace

MapTable multi_order_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index rows) {
  MapTable table = indexed_table(cell_column(file, columns), columns, rows);
  table.is_multi_order = true;
  return table;
}

MapTable map_table(const FitsFile& file, Index npix) {
  const std::vector<FitsColumn> columns = fits_columns(file);
  const Index rows = fits_rows(file);
  MapTable table = is_multi_order(file)                ? multi_order_table(file, columns, rows)
                   : has_explicit_index(file, columns) ? explicit_table(file, columns, rows)
                                                       : implicit_table(file, columns, rows, npix);
  if (table.maps.empty())
    throw core::InputError(
        fmt::format("'{}': no column of the table can be read as a map: use numbers, or logical values (T, F) for a "
                    "mask, not text, bits or complex numbers",
                    file.name()));
  if (table.values > npix && !table.is_multi_order)
    throw core::InputError(
        fmt::format("'{}': the table lists {} pixels, but NSIDE allows {}", file.name(), table.values, npix));
  return table;
}

}  // namespace armilla::io
