#pragma once

#include <armilla/core/input_file.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/metadata.hpp>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace armilla::io {

enum class TableFormat { kHdf5, kFits, kText };

/// What to read from a file.
struct TableParts {
  std::vector<std::string> datasets = {};  ///< HDF5: one-dimensional datasets, one column each
  /// HDF5: dataset [component][row], [row] or [map][component][row], whose columns FIELDS names; empty: none.
  std::string components = {};
  /// Text: names that identify the line of column names. If empty, those of point coordinates or spectra do.
  std::vector<std::string> header = {};
  /// Text: names of the columns, also of a file without a line of names. Those of a line with `header` come first.
  std::vector<std::string> names = {};
};

/// A column of a table.
struct TableColumn {
  std::string name;
  std::string unit = {};
  Precision precision = Precision::kDouble;
  bool has_values = true;    ///< real numbers or truth values; in text, the word in the first row is a number
  bool is_number = true;     ///< real numbers
  Index per_row = 1;         ///< FITS: values in each row
  std::string dataset = {};  ///< HDF5
  Index place = 0;           ///< FITS and text: 0-based index of the column; HDF5: row of the dataset
};

/// Header of a table of numbers: columns with names and units, and keywords. All tables of numbers are read and written
/// through this interface: points, spectra, windows, and tabulated kernels.
struct Table {
  std::string path;
  core::FileState seen = {};  ///< of the file; read_table() throws if it has changed
  TableFormat format = TableFormat::kHdf5;
  Index rows = 0;
  std::vector<TableColumn> columns = {};
  Index maps = 0;         ///< HDF5: length of the batch axis of TableParts::components; 0 without one
  TableParts parts = {};  ///< what was read
  /// Those of SPINS, COORDSYS, POLCCONV, UNIT, CREATOR that the file has; FIELDS if its components have names.
  std::map<std::string, std::string> keywords = {};

  std::vector<std::string> names() const;
  /// The value of a keyword; empty if the file has none.
  std::string keyword(const std::string& key) const;
  /// Number of values of a column.
  Index count(std::size_t column) const { return rows * columns[column].per_row; }
};

/// Format of a table, detected from the content of the file. Throws InputError if it is none of the three.
TableFormat table_format(const std::string& path);

/// Header of a table: the datasets named in `parts`, the first table of a FITS file, or text, in which a line of names
/// precedes the rows. Not collective. Throws InputError, naming file and dataset, column or line.
Table open_table(const std::string& path, const TableParts& parts = {});

/// Values `first` .. first + size - 1 of some columns. Text files are read from the start once for each call. In a
/// batch, reads those of one map. Not collective. Throws InputError, also if the file has changed.
template <class T>
void read_table(const Table& table, std::span<const std::size_t> columns, Index first,
                std::span<const std::span<T>> out, Index map = 0);
/// All values of one column.
std::vector<double> read_column(const Table& table, std::size_t column, Index map = 0);

/// Fields, units, spins and conventions of some columns. Throws InputError.
FieldMetadata table_metadata(const Table& table, std::span<const std::size_t> columns);

/// A table being written, distributed over the ranks by rows, in rank order.
template <class T>
struct TableWritten {
  const FieldMetadata& metadata;                             ///< names all components
  std::vector<TableColumn> leading = {};                     ///< columns in double precision, before the components
  std::vector<std::span<const double>> leading_values = {};  ///< [leading column][own row]
  std::vector<std::span<const T>> values = {};               ///< [component][own row]
  std::vector<core::IndexRange> ranges = {};                 ///< [rank], of the rows
  Precision precision = Precision::kDouble;                  ///< of the components in the file
  std::string dataset = {};                                  ///< HDF5: of the components
  std::string title = {};                                    ///< FITS: EXTNAME
  Index lmax = -1;                                           ///< recorded if it is not negative
  bool full_digits = false;  ///< text: numbers of the components in scientific notation with 18 digits

  Index rows() const { return ranges.back().first + ranges.back().count; }
  core::IndexRange own(int rank) const { return ranges[static_cast<std::size_t>(rank)]; }
};

/// Functions of a format for values of type T. The reader is not collective; the writer is collective.
template <class T>
struct TableFunctions {
  void (*read)(const Table&, std::span<const std::size_t> columns, Index first, std::span<const std::span<T>> out,
               Index map);
  void (*write)(const comm::Communicator&, const AtomicFile&, const TableWritten<T>&);
};

/// One row per format: its interface to the rest of the program.
struct TableFormatRow {
  TableFormat format;
  std::vector<std::string_view> endings;  ///< the first one is the default
  bool (*recognises)(const std::string& path);
  Table (*open)(const std::string& path, const TableParts& parts);
  std::tuple<TableFunctions<float>, TableFunctions<double>> functions;

  template <class T>
  const TableFunctions<T>& of() const {
    return std::get<TableFunctions<T>>(functions);
  }
};

std::span<const TableFormatRow> table_formats();
const TableFormatRow& table_format_row(TableFormat format);

}  // namespace armilla::io
