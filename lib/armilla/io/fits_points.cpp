#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_points.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/root_stream.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace armilla::io {

namespace {

// Points sent to the root at once, 8 MiB per column.
constexpr Index kPointsSent = Index{1} << 20;

std::vector<std::string> names_of(const std::vector<FitsColumn>& columns) {
  std::vector<std::string> names;
  for (const FitsColumn& column : columns) names.push_back(column.name);
  return names;
}

bool holds_values(const FitsColumn& column) { return column.has_values() && column.repeat > 0; }

void check_column(const std::string& path, const FitsColumn& column, Index repeat) {
  if (!holds_values(column))
    throw core::InputError(
        fmt::format("'{}': column {} ('{}') does not contain real numbers", path, column.number, column.name));
  if (column.repeat != repeat)
    throw core::InputError(
        fmt::format("'{}': column '{}' has {} values per row, but the coordinates have {}: the numbers must match",
                    path, column.name, column.repeat, repeat));
}

std::vector<std::size_t> all_values(const std::vector<FitsColumn>& columns, const PlaceColumns& places, Index repeat) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (std::ranges::find(places.at, i) == places.at.end() && holds_values(columns[i]) && columns[i].repeat == repeat)
      found.push_back(i);
  return found;
}

void add_values(const FitsFile& file, const std::vector<FitsColumn>& columns, const std::vector<std::size_t>& values,
                PointsInfo& info) {
  info.components = static_cast<Index>(values.size());
  info.precision = values.empty() ? Precision::kDouble : Precision::kSingle;
  std::vector<std::string> names;
  for (const std::size_t i : values) {
    info.columns.push_back(static_cast<Index>(i));
    if (!columns[i].is_single()) info.precision = Precision::kDouble;
    names.push_back(columns[i].name);
    info.metadata.units.push_back(columns[i].unit);
  }
  info.metadata.fields = fields_of_columns(info.path, names);
  info.metadata.spins = spins_of(fits_text(file, "SPINS").value_or(""), info.components, info.path);
  read_fits_conventions(file, info.metadata);
}

template <class T>
std::vector<FitsColumn> columns_to_write(const PointsWritten<T>& points) {
  std::vector<FitsColumn> columns;
  for (const char* name : {"THETA", "PHI"})
    columns.push_back({.number = 0, .name = name, .unit = "rad", .type = TDOUBLE, .repeat = 1});
  const FieldMetadata& metadata = points.metadata;
  for (std::size_t c = 0; c < metadata.fields.size(); ++c)
    columns.push_back({.number = 0,
                       .name = column_of_field(metadata.fields, c),
                       .unit = metadata.unit(c),
                       .type = points.precision == Precision::kSingle ? TFLOAT : TDOUBLE,
                       .repeat = 1});
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].number = static_cast<int>(i) + 1;
  return columns;
}

FitsFile create_points(const AtomicFile& file, const std::vector<FitsColumn>& columns, Index points,
                       const FieldMetadata& metadata) {
  file.check_space(fits_table_bytes(columns, points));
  FitsFile out = FitsFile::create(file.partial_path(), file.path());
  create_fits_table(out, columns, points, "POINTS");
  if (!metadata.spins.empty())
    write_fits_text(out, "SPINS", list_of_spins(metadata.spins), "spins of the value columns");
  write_fits_conventions(out, metadata);
  return out;
}

}  // namespace

bool is_points_table(const std::vector<FitsColumn>& columns) { return has_places(names_of(columns)); }

PointsInfo open_fits_points(const std::string& path, const PointColumns& columns) {
  const FitsFile file = FitsFile::open(path);
  file.move_to_table();
  const std::vector<FitsColumn> all = fits_columns(file);
  const std::vector<std::string> names = names_of(all);
  const PlaceColumns places = find_places(path, names, columns, "columns");
  const FitsColumn &first = all[places.at[0]], &second = all[places.at[1]];
  check_column(path, first, first.repeat);
  check_column(path, second, first.repeat);
  // Every value takes at least one byte; a damaged header may declare more values than the file can hold.
  if (fits_rows(file) > file_size(path) / first.repeat)
    throw core::InputError(
        fmt::format("'{}': its header declares {} rows of {} points, more than its size allows: the file is damaged",
                    path, fits_rows(file), first.repeat));
  PointsInfo info{.path = path,
                  .format = PointFormat::kFits,
                  .points = fits_rows(file) * first.repeat,
                  .coordinates = places.coordinates,
                  .places = {first.name, second.name},
                  .in_degrees = are_degrees(path, places, names, {first.unit, second.unit})};
  check_points(path, info.points);
  if (first.type == TFLOAT || second.type == TFLOAT) info.place_precision = Precision::kSingle;
  for (const std::size_t at : places.at) info.columns.push_back(static_cast<Index>(at));
  std::vector<std::size_t> values = find_values(path, names, places, columns.values);
  for (const std::size_t i : values) check_column(path, all[i], first.repeat);
  if (columns.values.empty()) values = all_values(all, places, first.repeat);
  add_values(file, all, values, info);
  complete_metadata(info);
  return info;
}

template <class T>
void read_fits_points(const PointsInfo& info, std::span<const Index> columns, Index first,
                      std::span<const std::span<T>> out) {
  const FitsFile file = FitsFile::open(info.path);
  file.move_to_table();
  const std::vector<FitsColumn> all = fits_columns(file);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto at = static_cast<std::size_t>(info.columns[static_cast<std::size_t>(columns[i])]);
    if (at >= all.size() || !holds_values(all[at]) || fits_rows(file) * all[at].repeat != info.points)
      throw core::InputError(fmt::format("'{}' has changed since its header was read: run again", info.path));
    read_fits_values(file, all[at], first, static_cast<Index>(out[i].size()), out[i].data());
  }
}

template <class T>
void write_fits_points(const comm::Communicator& comm, const AtomicFile& file, const PointsWritten<T>& points) {
  const Index count = points.points();
  const auto components = static_cast<std::size_t>(points.components());
  const std::vector<FitsColumn> columns = columns_to_write(points);
  std::optional<FitsFile> out;
  const auto block = static_cast<std::size_t>(comm.is_root() ? std::min(kPointsSent, count) : 0);
  std::vector<std::vector<double>> places(2);
  std::vector<std::vector<T>> values(components);
  comm::phase(comm, [&] {
    for (auto& column : places) column.resize(block);
    for (auto& column : values) column.resize(block);
    if (comm.is_root()) out.emplace(create_points(file, columns, count, points.metadata));
  });
  PixelStream<double> place_stream(comm, points.ranges);
  PixelStream<T> value_stream(comm, points.ranges);
  for (Index first = 0; first < count; first += kPointsSent) {
    const Index now = std::min(kPointsSent, count - first);
    place_stream.gather(points.theta, first, now, places[0]);
    place_stream.gather(points.phi, first, now, places[1]);
    for (std::size_t c = 0; c < components; ++c)
      value_stream.gather(points.component(static_cast<Index>(c)), first, now, values[c]);
    comm::phase(comm, [&] {
      if (!out) return;
      const Index slice = fits_buffered_rows(*out);
      for (Index row = 0; row < now; row += slice) {
        const Index rows = std::min(slice, now - row);
        for (std::size_t i = 0; i < 2; ++i)
          write_fits_values(*out, columns[i], first + row, rows, places[i].data() + row);
        for (std::size_t c = 0; c < components; ++c)
          write_fits_values(*out, columns[2 + c], first + row, rows, values[c].data() + row);
      }
    });
  }
  comm::phase(comm, [&] {
    if (out) out->close();
  });
}

Index fits_points_bytes(Index points, Index components, Precision precision) {
  constexpr Index kHeaders = 8 * 2880;
  return core::saturating_sum(
      kHeaders, core::saturating_product(points, 2 * 8 + components * (precision == Precision::kSingle ? 4 : 8)));
}

ARMILLA_INSTANTIATE(read_fits_points);
ARMILLA_INSTANTIATE(write_fits_points);

}  // namespace armilla::io
