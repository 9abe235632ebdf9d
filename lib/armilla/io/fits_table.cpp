#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/foreign_files.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/polarisation.hpp>
#include <armilla/io/root_stream.hpp>

#include <algorithm>
#include <cerrno>
#include <optional>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr Index kBlockBytes = 2880;
constexpr Index kHeaderBlocks = 8;
constexpr Index kRowsSent = Index{1} << 20;  // to the root at once, 8 MiB per column

char type_letter(const FitsColumn& column) {
  switch (column.type) {
    case TFLOAT:
      return 'E';
    case TDOUBLE:
      return 'D';
    case TLONG:
      return 'J';
    default:
      return 'K';
  }
}

Index value_bytes(const FitsColumn& column) { return column.type == TFLOAT || column.type == TLONG ? 4 : 8; }

// A table of spectra or windows may follow other tables. If the caller names the columns, it is the first table.
void move_to_part(const FitsFile& file, const TableParts& parts) {
  const bool are_spectra = parts.components == kSpectraDataset && parts.names.empty();
  const int hdu = are_spectra ? find_spectra_table(file) : 0;
  if (hdu > 0)
    file.move_to(hdu);
  else
    file.move_to_table();
}

template <class T>
std::vector<FitsColumn> columns_to_write(const TableWritten<T>& table) {
  std::vector<FitsColumn> columns;
  const auto add = [&](std::string name, const std::string& unit, int type) {
    const int number = static_cast<int>(columns.size()) + 1;
    columns.push_back({.number = number, .name = std::move(name), .unit = unit, .type = type, .repeat = 1});
  };
  for (const TableColumn& column : table.leading) add(upper(column.name), column.unit, TDOUBLE);
  const FieldMetadata& metadata = table.metadata;
  for (std::size_t c = 0; c < table.values.size(); ++c)
    add(column_of_field(metadata, c), metadata.unit(c), table.precision == Precision::kSingle ? TFLOAT : TDOUBLE);
  return columns;
}

template <class T>
FitsFile create_table_file(const AtomicFile& file, const std::vector<FitsColumn>& columns,
                           const TableWritten<T>& table) {
  file.check_space(fits_table_bytes(columns, table.rows()));
  FitsFile out = FitsFile::create(file.partial_path(), file.path());
  create_fits_table(out, columns, table.rows(), table.title);
  if (table.lmax >= 0) write_fits_index(out, "MAX-LPOL", table.lmax, "largest l");
  if (!table.metadata.spins.empty())
    write_fits_text(out, "SPINS", list_of_spins(table.metadata.spins), "spins of the value columns");
  write_fits_conventions(out, table.metadata);
  return out;
}

[[noreturn]] void refuse_fits_text(const std::string& path, const std::string& text) {
  throw core::InputError(fmt::format(
      "'{}': FITS cannot hold the name or unit '{}': use up to 68 ASCII characters, or write .h5", path, text));
}

}  // namespace

void create_fits_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index values,
                       const std::string& extension_name) {
  std::vector<std::string> names, forms, units;
  for (const FitsColumn& column : columns) {
    names.push_back(column.name);
    forms.push_back(fmt::format("{}{}", column.repeat, type_letter(column)));
    units.push_back(fits_unit(column.unit));
    for (const std::string& text : {names.back(), units.back()})
      if (!fits_can_hold(text)) refuse_fits_text(file.name(), text);
  }
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    return result;
  };
  int status = 0;
  errno = 0;
  fits_create_tbl(file.get(), BINARY_TBL, values / columns.front().repeat, static_cast<int>(columns.size()),
                  pointers(names).data(), pointers(forms).data(), pointers(units).data(), extension_name.c_str(),
                  &status);
  file.check(status, "its table cannot be created: check the disk");
  file.reserve_cards();
}

Index fits_table_bytes(const std::vector<FitsColumn>& columns, Index values) {
  Index bytes = kHeaderBlocks * kBlockBytes;
  for (const FitsColumn& column : columns) bytes += values * value_bytes(column);
  return bytes + kBlockBytes;
}

std::optional<std::string> fits_text_or_primary(const FitsFile& file, const std::string& key) {
  if (auto text = fits_text(file, key)) return text;
  const int hdu = file.hdu();
  file.move_to(1);
  const std::optional<std::string> text = fits_text(file, key);
  file.move_to(hdu);
  return text;
}

void read_fits_conventions(const FitsFile& file, FieldMetadata& metadata) {
  metadata.coordsys = coordsys_of(fits_text_or_primary(file, "COORDSYS").value_or(""));
  // WMAP's archive
  if (metadata.coordsys.empty()) metadata.coordsys = coordsys_of(fits_text_or_primary(file, "SKYCOORD").value_or(""));
  metadata.polcconv = polcconv_of(fits_text_or_primary(file, "POLCCONV").value_or(""));
}

void write_fits_conventions(const FitsFile& file, const FieldMetadata& metadata) {
  if (!metadata.coordsys.empty())
    write_fits_text(file, "COORDSYS", metadata.coordsys, "G galactic, E ecliptic, C equatorial");
  if (const std::string polcconv = polcconv_to_write(metadata); !polcconv.empty())
    write_fits_text(file, "POLCCONV", polcconv, "sign convention of polarisation");
}

Table open_fits_table(const std::string& path, const TableParts& parts) {
  const FitsFile file = FitsFile::open(path);
  move_to_part(file, parts);
  Table table{.path = path, .format = TableFormat::kFits, .rows = fits_rows(file)};
  const Index row_bytes = fits_index(file, "NAXIS1").value_or(0);
  const std::vector<FitsColumn> columns = fits_columns(file);
  refuse_fits_table(file, columns);
  for (const FitsColumn& column : columns) {
    if (column.has_values() && column.repeat > row_bytes)
      throw core::InputError(
          fmt::format("'{}': its header declares {} rows of {} points, more than its size allows: the file is damaged",
                      path, table.rows, column.repeat));
    table.columns.push_back({.name = column.name,
                             .unit = column.unit,
                             .precision = column.is_single() ? Precision::kSingle : Precision::kDouble,
                             .has_values = column.has_values() && column.repeat > 0,
                             .is_number = column.is_number(),
                             .per_row = column.repeat,
                             .place = column.number - 1});
  }
  for (const char* key : {"SPINS", "CREATOR"})
    if (const auto value = fits_text(file, key)) table.keywords[key] = *value;
  FieldMetadata conventions;
  read_fits_conventions(file, conventions);
  table.keywords["COORDSYS"] = conventions.coordsys;
  table.keywords["POLCCONV"] = conventions.polcconv;
  return table;
}

template <class T>
void read_fits_table(const Table& table, std::span<const std::size_t> columns, Index first,
                     std::span<const std::span<T>> out, Index) {
  const FitsFile file = FitsFile::open(table.path);
  move_to_part(file, table.parts);
  const std::vector<FitsColumn> all = fits_columns(file);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const TableColumn& column = table.columns[columns[i]];
    const auto at = static_cast<std::size_t>(column.place);
    if (at >= all.size() || !all[at].has_values() || all[at].repeat != column.per_row || fits_rows(file) != table.rows)
      throw_changed(table.path);
    read_fits_values(file, all[at], first, static_cast<Index>(out[i].size()), out[i].data());
  }
}

template <class T>
void write_fits_table(const comm::Communicator& comm, const AtomicFile& file, const TableWritten<T>& table) {
  const Index count = table.rows();
  const std::size_t places = table.leading.size();
  const std::vector<FitsColumn> columns = columns_to_write(table);
  std::optional<FitsFile> out;
  const auto block = static_cast<std::size_t>(comm.is_root() ? std::min(kRowsSent, count) : 0);
  std::vector<std::vector<double>> leading(places);
  std::vector<std::vector<T>> values(table.values.size());
  comm::phase(comm, [&] {
    for (auto& column : leading) column.resize(block);
    for (auto& column : values) column.resize(block);
    if (comm.is_root()) out.emplace(create_table_file(file, columns, table));
  });
  PixelStream<double> leading_stream(comm, table.ranges);
  PixelStream<T> value_stream(comm, table.ranges);
  for (Index first = 0; first < count; first += kRowsSent) {
    const Index now = std::min(kRowsSent, count - first);
    for (std::size_t i = 0; i < places; ++i) leading_stream.gather(table.leading_values[i], first, now, leading[i]);
    for (std::size_t c = 0; c < values.size(); ++c) value_stream.gather(table.values[c], first, now, values[c]);
    comm::phase(comm, [&] {
      if (!out) return;
      const Index slice = fits_buffered_rows(*out);
      for (Index row = 0; row < now; row += slice) {
        const Index rows = std::min(slice, now - row);
        for (std::size_t i = 0; i < places; ++i)
          write_fits_values(*out, columns[i], first + row, rows, leading[i].data() + row);
        for (std::size_t c = 0; c < values.size(); ++c)
          write_fits_values(*out, columns[places + c], first + row, rows, values[c].data() + row);
      }
    });
  }
  comm::phase(comm, [&] {
    if (out) out->close();
  });
}

ARMILLA_INSTANTIATE(read_fits_table);
ARMILLA_INSTANTIATE(write_fits_table);

}  // namespace armilla::io
