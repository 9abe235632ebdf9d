#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/foreign_files.hpp>
#include <armilla/io/hdf5_table.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/polarisation.hpp>
#include <armilla/io/table.hpp>
#include <armilla/io/text_table.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::io {

namespace {

template <class T>
constexpr TableFunctions<T> kHdf5Table{read_hdf5_table<T>, write_hdf5_table<T>};
template <class T>
constexpr TableFunctions<T> kFitsTable{read_fits_table<T>, write_fits_table<T>};
template <class T>
constexpr TableFunctions<T> kTextTable{read_text_table<T>, write_text_table<T>};

}  // namespace

std::vector<std::string> Table::names() const {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.push_back(column.name);
  return names;
}

std::string Table::keyword(const std::string& key) const {
  const auto found = keywords.find(key);
  return found == keywords.end() ? std::string() : found->second;
}

std::span<const TableFormatRow> table_formats() {
  static const std::vector<TableFormatRow> rows{
      {.format = TableFormat::kHdf5,
       .endings = {".h5", ".hdf5"},
       .recognises = is_hdf5,
       .open = open_hdf5_table,
       .functions = {kHdf5Table<float>, kHdf5Table<double>}},
      {.format = TableFormat::kFits,
       .endings = {".fits", ".fit"},
       .recognises = is_fits,
       .open = open_fits_table,
       .functions = {kFitsTable<float>, kFitsTable<double>}},
      {.format = TableFormat::kText,
       .endings = {".csv", ".txt", ".dat"},
       .recognises = is_text_file,
       .open = open_text_table,
       .functions = {kTextTable<float>, kTextTable<double>}},
  };
  return rows;
}

const TableFormatRow& table_format_row(TableFormat format) {
  return *std::ranges::find(table_formats(), format, &TableFormatRow::format);
}

TableFormat table_format(const std::string& path) {
  const auto row =
      std::ranges::find_if(table_formats(), [&](const TableFormatRow& one) { return one.recognises(path); });
  if (row != table_formats().end()) return row->format;
  refuse_foreign(path);
  throw core::InputError(file_size(path) == 0
                             ? fmt::format("'{}' is empty: its writer may have failed", path)
                             : fmt::format("'{}' is neither FITS, HDF5 nor text: use one of these formats", path));
}

Table open_table(const std::string& path, const TableParts& parts) {
  const core::FileState seen = core::state_of(path);
  Table table = table_format_row(table_format(path)).open(path, parts);
  table.seen = seen;
  table.parts = parts;
  core::check_unchanged(path, seen);
  return table;
}

template <class T>
void read_table(const Table& table, std::span<const std::size_t> columns, Index first,
                std::span<const std::span<T>> out, Index map) {
  core::check_unchanged(table.path, table.seen);
  table_format_row(table.format).of<T>().read(table, columns, first, out, map);
  core::check_unchanged(table.path, table.seen);
}

std::vector<double> read_column(const Table& table, std::size_t column, Index map) {
  std::vector<double> values(static_cast<std::size_t>(table.count(column)));
  const std::span<double> out(values);
  read_table<double>(table, {&column, 1}, 0, {&out, 1}, map);
  return values;
}

FieldMetadata table_metadata(const Table& table, std::span<const std::size_t> columns) {
  FieldMetadata metadata;
  for (const std::size_t column : columns) {
    metadata.fields.push_back(table.columns[column].name);
    metadata.units.push_back(table.columns[column].unit);
  }
  const bool is_fits = table.format == TableFormat::kFits;
  // FIELDS of HDF5 are the names of fields.
  if (table.format != TableFormat::kHdf5) {
    metadata.columns = metadata.fields;
    metadata.fields = fields_of_columns(metadata.columns);
    // In text, q and u in lower case may be a humidity and a wind.
    for (std::size_t i = 0; i < metadata.columns.size() && !is_fits; ++i)
      if (upper(metadata.columns[i]) != metadata.columns[i]) metadata.fields[i] = metadata.columns[i];
  }
  if (const std::string unit = table.keyword("UNIT"); !unit.empty())
    metadata.units = units_in_list(unit, columns.size());
  const std::vector<Index> spins = spins_of(table.keyword("SPINS"), static_cast<Index>(columns.size()), table.path);
  if (!spins.empty())
    set_spins(metadata, spins);
  else if (is_fits)
    set_spins_of_columns(metadata, NameCase::kUpper);
  else
    set_spins_of_names(metadata, FileKind::kPoints);
  metadata.coordsys = coordsys_of(table.keyword("COORDSYS"));
  metadata.polcconv = polcconv_of(table.keyword("POLCCONV"));
  return metadata;
}

ARMILLA_INSTANTIATE(read_table);

}  // namespace armilla::io
