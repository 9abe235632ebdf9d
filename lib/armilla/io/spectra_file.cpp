#include <armilla/core/error.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/fits_contents.hpp>
#include <armilla/io/formats.hpp>
#include <armilla/io/hdf5_batch.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/spectra_rows.hpp>
#include <armilla/io/spectra_summary.hpp>
#include <armilla/io/text_table.hpp>
#include <armilla/io/write.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kDegrees = "L";

bool are_mislabelled(const Table& table) {
  return table.format == TableFormat::kFits && upper(table.keyword("CREATOR")) == "HEALPY" &&
         table.columns.size() == 6 && upper(table.columns[4].name) == "C-T" && upper(table.columns[5].name) == "C-G";
}

void rename_columns(Table& table, const std::vector<std::string>& names) {
  if (names.size() != table.columns.size())
    throw core::InputError(fmt::format("'{}' has {} columns, but {} were named, {}: name all of its columns in order",
                                       table.path, table.columns.size(), names.size(), join_list(names)));
  for (std::size_t i = 0; i < names.size(); ++i) table.columns[i].name = names[i];
  table.keywords["FIELDS"] = join_list(names);
  table.keywords.erase("CREATOR");
}

// The unit of all columns that have one.
std::string common_unit(const std::string& path, const std::vector<std::string>& units) {
  std::string common;
  for (const std::string& unit : units) {
    if (!common.empty() && !unit.empty() && unit != common)
      throw core::InputError(
          fmt::format("'{}': its columns have the units {}, but spectra have one unit: convert them to one unit, or "
                      "remove the units from the file",
                      path, join_list(units)));
    if (common.empty()) common = unit;
  }
  return common;
}

// Size of the text of spectra with these names, up to the signs of numbers and exponents of three digits.
Index text_bytes(const std::vector<std::string>& names, Index lmax) {
  constexpr Index kNumber = 24;  // " 1.00000000000000000e+00"
  Index bytes = static_cast<Index>(fmt::format("# L {}\n", fmt::join(names, " ")).size());
  for (Index first = 0, digits = 1; first <= lmax; ++digits) {
    const Index next = first == 0 ? 10 : 10 * first;  // the first degree with more digits
    const Index rows = std::min(next, lmax + 1) - first;
    bytes = core::saturating_sum(
        bytes, core::saturating_product(rows, digits + 1 + kNumber * static_cast<Index>(names.size())));
    first = next;
  }
  return bytes;
}

}  // namespace

Table open_spectra(const std::string& path, const std::vector<std::string>& columns) {
  Table table = open_table(path, {.components = kSpectraDataset, .names = columns});
  if (!columns.empty()) rename_columns(table, columns);
  if (table.format == TableFormat::kHdf5 && table.keyword("FIELDS").empty())
    throw core::InputError(
        fmt::format("'{}': dataset 'cl' lacks attribute FIELDS with the names of its spectra, such as 'TT,EE'", path));
  if (table.format == TableFormat::kText && std::ranges::none_of(table.names(), is_degree))
    throw core::InputError(
        fmt::format("'{}' has no column L or ELL; its columns are {}: name the columns in a line such as '# L TT EE BB "
                    "TE' for spectra, or 'theta,phi,T' for points",
                    path, core::excerpt(join_list(table.names()))));
  if (table.columns.empty())
    throw core::InputError(fmt::format("'{}' contains no spectra: its table has no columns", path));
  return table;
}

std::vector<std::string> spectra_names(const Table& table) {
  std::vector<std::string> names;
  for (const TableColumn& column : table.columns) names.push_back(spectrum_of_column(column.name));
  if (are_mislabelled(table)) std::swap(names[4], names[5]);
  return names;
}

SpectraRows read_spectra_rows(const Table& table) {
  SpectraRows rows;
  const std::vector<std::string> names = spectra_names(table);
  std::vector<std::size_t> columns;
  std::vector<std::vector<double>> values;
  std::vector<std::string> units;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (table.format == TableFormat::kFits && !table.columns[i].is_number) continue;
    columns.push_back(i);
    values.emplace_back(static_cast<std::size_t>(table.count(i)));
  }
  read_table<double>(table, columns, 0, std::vector<std::span<double>>(values.begin(), values.end()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const TableColumn& column = table.columns[columns[k]];
    if (is_degree(column.name) && table.format != TableFormat::kHdf5) {
      rows.degrees = std::move(values[k]);
      continue;
    }
    units.push_back(column.unit);
    rows.names.push_back(names[columns[k]]);
    rows.columns.push_back(std::move(values[k]));
  }
  if (table.format == TableFormat::kText) units = {units_in_list(table.keyword("UNIT"), 1).front()};
  rows.unit = common_unit(table.path, units);
  return rows;
}

alm::SpectraTable read_spectra(const std::string& path, bool is_dl, const std::vector<std::string>& columns) {
  const std::shared_ptr<const void> contents = inflated_contents(path);
  const FormatRow* const row = columns.empty() ? recognised_format(path) : nullptr;
  const bool has_table = row != nullptr && row->format == Format::kFits && find_spectra_table(FitsFile::open(path)) > 0;
  if (row != nullptr && !has_table && row->kind(path, "") != FileKind::kSpectra)
    throw core::InputError(
        fmt::format("'{}' does not contain spectra: run armilla inspect to list its contents", path));
  const Table table = open_spectra(path, columns);
  if (table.maps > 1)
    throw core::InputError(fmt::format(
        "'{}': dataset 'cl' contains the spectra of {} maps, but those of a single map are needed", path, table.maps));
  if (table.maps == 1) check_present(path, spectra_batch(path));
  return table_of_rows(read_spectra_rows(table), is_dl, path);
}

void write_spectra(const comm::Communicator& comm, const core::OutputPath& output, const alm::SpectraTable& spectra) {
  const std::string& path = output.path;
  const alm::SpectraTable ordered = in_file_order(spectra);
  const bool is_text = !spectra_format_of_name(path);
  const FieldMetadata metadata{.fields = ordered.names,
                               .units = std::vector(is_text ? 1 : ordered.names.size(), ordered.unit),
                               .coordsys = {},
                               .polcconv = {}};
  // The root has all rows.
  const Index rows = ordered.lmax + 1;
  std::vector<double> degrees(static_cast<std::size_t>(rows));
  std::iota(degrees.begin(), degrees.end(), 0.0);
  TableWritten<double> table{.metadata = metadata,
                             .ranges = std::vector(static_cast<std::size_t>(comm.size()), core::IndexRange{rows, 0}),
                             .dataset = kSpectraDataset,
                             .title = "POWER SPECTRUM",
                             .lmax = ordered.lmax,
                             .full_digits = true};
  table.ranges.front() = {0, rows};
  const auto own = [&](const std::vector<double>& column) {
    return std::span(column).first(comm.is_root() ? column.size() : 0);
  };
  if (is_text) {
    table.leading = {{.name = kDegrees}};
    table.leading_values = {own(degrees)};
  }
  for (const std::vector<double>& column : ordered.columns) table.values.push_back(own(column));
  AtomicFile file(comm, output);
  table_format_row(is_text ? TableFormat::kText : point_format_of_name(path)).of<double>().write(comm, file, table);
  file.commit();
}

Index spectra_file_bytes(const std::string& path, const std::vector<std::string>& names, Index lmax) {
  constexpr Index kHeaders = 8192;
  if (!spectra_format_of_name(path)) return text_bytes(names, lmax);
  return core::saturating_sum(kHeaders,
                              core::saturating_product(static_cast<Index>(names.size() * sizeof(double)), lmax + 1));
}

}  // namespace armilla::io
