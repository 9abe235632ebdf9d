#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_table.hpp>
#include <armilla/io/placed_dataset.hpp>
#include <armilla/io/point_columns.hpp>

#include <bit>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kUnits = "UNITS";

static_assert(std::endian::native == std::endian::little, "columns are written as they are in memory");

// A later dataset takes precedence over an earlier one.
void add_keywords(const FieldMetadata& metadata, Table& table) {
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) table.keywords[key] = value;
  };
  add("SPINS", list_of_spins(metadata.spins));
  add("COORDSYS", metadata.coordsys);
  add("POLCCONV", metadata.polcconv);
}

void open_column(hid_t file, const std::string& name, Table& table) {
  const std::string& path = table.path;
  const Hdf5Handle dataset = open_hdf5_dataset(file, name, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), name, path);
  check_hdf5_column(dataset.get(), shape, name, path);
  if (!table.columns.empty() && shape.columns != table.rows)
    throw core::InputError(fmt::format("'{}': {} has {} values but {} has {}: the numbers must match", path,
                                       table.columns.front().name, table.rows, name, shape.columns));
  table.rows = shape.columns;
  add_keywords({.fields = {},
                .units = {},
                .coordsys = coordsys_of(read_hdf5_text(dataset.get(), "COORDSYS", path)),
                .polcconv = {}},
               table);
  table.columns.push_back({.name = name,
                           .unit = read_hdf5_text(dataset.get(), kUnits, path),
                           .precision = hdf5_precision(dataset.get(), name, path),
                           .dataset = name});
}

void open_components(hid_t file, const std::string& name, Table& table) {
  const std::string& path = table.path;
  const Hdf5Handle dataset = open_hdf5_dataset(file, name, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), name, path);
  const bool is_alone = table.columns.empty();
  if (shape.maps > 0 && !is_alone)
    throw core::InputError(
        fmt::format("'{}': dataset '{}' has three dimensions: write it as [component][point]", path, name));
  if (!is_alone && shape.columns != table.rows)
    throw core::InputError(fmt::format("'{}': dataset '{}' has {} x {} values, but there are {} points: {}", path, name,
                                       shape.rows, shape.columns, table.rows,
                                       shape.rows == table.rows
                                           ? "transpose it, the shape must be [component][point]"
                                           : "the shape must be [component][point], with one value per point"));
  check_hdf5_counts(shape, name, path);
  table.rows = shape.columns;
  table.maps = shape.maps;
  const FieldMetadata metadata = read_hdf5_metadata(dataset.get(), FileKind::kPoints, shape.rows, path);
  add_keywords(metadata, table);
  if (const auto fields = read_hdf5_texts(dataset.get(), "FIELDS", path); !fields.empty())
    table.keywords["FIELDS"] = join_list(fields);
  const Precision precision = hdf5_precision(dataset.get(), name, path);
  for (Index row = 0; row < shape.rows; ++row)
    table.columns.push_back({.name = metadata.fields[static_cast<std::size_t>(row)],
                             .unit = metadata.unit(static_cast<std::size_t>(row)),
                             .precision = precision,
                             .dataset = name,
                             .place = row});
}

template <class T>
void describe_components(hid_t dataset, const TableWritten<T>& table) {
  if (table.lmax < 0) return write_hdf5_metadata(dataset, table.metadata);
  // Spectra have one unit.
  write_hdf5_index(dataset, "LMAX", table.lmax);
  FieldMetadata metadata = table.metadata;
  const std::string unit = metadata.unit(0);
  metadata.units.clear();
  write_hdf5_metadata(dataset, metadata);
  if (!unit.empty()) write_hdf5_text(dataset, kUnits, unit);
}

}  // namespace

std::vector<std::string> hdf5_names(hid_t file, const std::string& path) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  hdf5_checked(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), core::ErrorKind::kInput,
               fmt::format("'{}': its datasets cannot be listed", path));
  return names;
}

Table open_hdf5_table(const std::string& path, const TableParts& parts) {
  const Hdf5Handle file = open_hdf5(path);
  Table table{.path = path, .format = TableFormat::kHdf5};
  for (const std::string& name : parts.datasets) open_column(file.get(), name, table);
  if (!parts.components.empty()) open_components(file.get(), parts.components, table);
  return table;
}

template <class T>
void read_hdf5_table(const Table& table, std::span<const std::size_t> columns, Index first,
                     std::span<const std::span<T>> out, Index map) {
  const Hdf5Handle file = open_hdf5(table.path);
  const Hdf5Handle type = hdf5_memory_type<T>();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const TableColumn& column = table.columns[columns[i]];
    const Hdf5Handle dataset = open_hdf5_dataset(file.get(), column.dataset, table.path);
    const Hdf5Shape shape = hdf5_shape(dataset.get(), column.dataset, table.path);
    if (shape.columns != table.rows || column.place >= shape.rows) throw_changed(table.path);
    const core::IndexRange range{first, static_cast<Index>(out[i].size())};
    read_hdf5_ranges(dataset.get(), type.get(), map * shape.rows + column.place, {&range, 1}, out[i].data(),
                     table.path);
  }
}

template <class T>
void write_hdf5_table(const comm::Communicator& comm, const AtomicFile& file, const TableWritten<T>& table) {
  const auto rows = static_cast<hsize_t>(table.rows());
  const bool has_components = !table.values.empty();
  std::vector<std::string> others;
  for (const TableColumn& column : table.leading) others.push_back(column.name);
  // Without components, the first column is the dataset of the plan.
  if (!has_components) others.erase(others.begin());
  const auto unit_of_column = [&](hid_t dataset, std::size_t i) {
    write_hdf5_text(dataset, kUnits, table.leading[i].unit);
  };
  const auto describe = [&](hid_t made, hid_t dataset) {
    if (has_components) {
      describe_components(dataset, table);
    } else {
      unit_of_column(dataset, 0);
      if (!table.metadata.coordsys.empty()) write_hdf5_text(dataset, "COORDSYS", table.metadata.coordsys);
    }
    for (std::size_t i = has_components ? 0 : 1; i < table.leading.size(); ++i)
      unit_of_column(create_hdf5_dataset(made, table.leading[i].name, H5T_IEEE_F64LE, {rows}).get(), i);
  };
  const Hdf5Plan plan{.dataset = has_components ? table.dataset : table.leading.front().name,
                      .rows = static_cast<Index>(table.values.size()),
                      .columns = table.rows(),
                      .file_type = hdf5_real_file_type(has_components ? table.precision : Precision::kDouble),
                      .describe = describe};
  PlacedDataset dataset(comm, file, plan, others);
  const core::IndexRange own = table.own(comm.rank());
  comm::phase(comm, [&] {
    const Hdf5Handle type = hdf5_memory_type<T>();
    for (std::size_t c = 0; c < table.values.size(); ++c)
      dataset.write_converted(0, static_cast<Index>(c), {&own, 1}, type.get(), table.values[c].data());
    const std::size_t skipped = has_components ? 0 : 1;
    if (!has_components) dataset.write(0, 0, {&own, 1}, std::as_bytes(table.leading_values.front()).data());
    for (std::size_t i = skipped; i < table.leading.size(); ++i)
      dataset.write_other(i - skipped, own.first * static_cast<Index>(sizeof(double)), table.leading_values[i].data(),
                          static_cast<Index>(table.leading_values[i].size_bytes()));
    dataset.finish();
  });
}

ARMILLA_INSTANTIATE(read_hdf5_table);
ARMILLA_INSTANTIATE(write_hdf5_table);

}  // namespace armilla::io
