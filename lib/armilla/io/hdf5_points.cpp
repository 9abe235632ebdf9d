#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_points.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/placed_dataset.hpp>
#include <armilla/io/point_columns.hpp>

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kValues = "values";
constexpr const char* kTheta = "theta";
constexpr const char* kPhi = "phi";
constexpr const char* kUnits = "UNITS";

static_assert(std::endian::native == std::endian::little, "positions are written as they are in memory");

// Empty if there are no values.
std::string values_name(const std::vector<std::string>& names) {
  const auto found = std::ranges::find_if(names, [](const std::string& name) { return upper(name) == "VALUES"; });
  return found == names.end() ? std::string() : *found;
}

struct PlaceDataset {
  Index points = 0;
  Precision precision = Precision::kDouble;
  std::string unit, coordsys;
};

PlaceDataset open_place(hid_t file, const std::string& name, const std::string& path) {
  const Hdf5Handle dataset = open_hdf5_dataset(file, name, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), name, path);
  check_hdf5_column(dataset.get(), shape, name, path);
  return {.points = shape.columns,
          .precision = hdf5_precision(dataset.get(), name, path),
          .unit = read_hdf5_text(dataset.get(), kUnits, path),
          .coordsys = coordsys_of(read_hdf5_text(dataset.get(), "COORDSYS", path))};
}

void open_values(hid_t file, const std::string& name, PointsInfo& info) {
  const std::string& path = info.path;
  const Hdf5Handle dataset = open_hdf5_dataset(file, name, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), name, path);
  if (shape.maps > 0)
    throw core::InputError(
        fmt::format("'{}': dataset '{}' has three dimensions: write it as [component][point]", path, name));
  if (shape.columns != info.points)
    throw core::InputError(fmt::format("'{}': dataset '{}' has {} x {} values, but there are {} points: {}", path, name,
                                       shape.rows, shape.columns, info.points,
                                       shape.rows == info.points
                                           ? "transpose it, the shape must be [component][point]"
                                           : "the shape must be [component][point], with one value per point"));
  check_hdf5_counts(shape, name, path);
  info.components = shape.rows;
  info.precision = hdf5_precision(dataset.get(), name, path);
  info.metadata = read_hdf5_metadata(dataset.get(), default_map_fields(shape.rows), path);
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

PointsInfo open_hdf5_points(const std::string& path, const PointColumns& columns) {
  const Hdf5Handle file = open_hdf5(path);
  const std::vector<std::string> names = hdf5_names(file.get(), path);
  if (!columns.values.empty())
    throw core::InputError(fmt::format(
        "'{}' is HDF5, where the values are the rows of dataset 'values': remove the names of value columns", path));
  const PlaceColumns places = find_places(path, names, columns, "datasets");
  PointsInfo info{.path = path, .format = PointFormat::kHdf5, .coordinates = places.coordinates};
  for (const std::size_t at : places.at) info.places.push_back(names[at]);
  const PlaceDataset first = open_place(file.get(), info.places[0], path);
  const PlaceDataset second = open_place(file.get(), info.places[1], path);
  if (first.points != second.points)
    throw core::InputError(fmt::format("'{}': {} has {} points but {} has {}: the numbers must match", path,
                                       info.places[0], first.points, info.places[1], second.points));
  check_points(path, first.points);
  info.points = first.points;
  info.place_precision = std::max(first.precision, second.precision);
  info.in_degrees = are_degrees(path, places, names, {first.unit, second.unit});
  if (const std::string name = values_name(names); !name.empty()) open_values(file.get(), name, info);
  if (info.metadata.coordsys.empty()) info.metadata.coordsys = first.coordsys;
  complete_metadata(info);
  return info;
}

template <class T>
void read_hdf5_points(const PointsInfo& info, std::span<const Index> columns, Index first,
                      std::span<const std::span<T>> out) {
  const Hdf5Handle file = open_hdf5(info.path);
  const Hdf5Handle type = hdf5_memory_type<T>();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool is_place = columns[i] < 2;
    const std::string name =
        is_place ? info.places[static_cast<std::size_t>(columns[i])] : values_name(hdf5_names(file.get(), info.path));
    const Hdf5Handle dataset = open_hdf5_dataset(file.get(), name, info.path);
    const Hdf5Shape shape = hdf5_shape(dataset.get(), name, info.path);
    if (shape.columns != info.points || shape.rows != (is_place ? 1 : info.components))
      throw core::InputError(fmt::format("'{}' has changed since its header was read: run again", info.path));
    const core::IndexRange range{first, static_cast<Index>(out[i].size())};
    read_hdf5_ranges(dataset.get(), type.get(), is_place ? 0 : columns[i] - 2, {&range, 1}, out[i].data(), info.path);
  }
}

template <class T>
void write_hdf5_points(const comm::Communicator& comm, const AtomicFile& file, const PointsWritten<T>& points) {
  const Index count = points.points(), components = points.components();
  const bool has_values = components > 0;
  // Without values, theta is the dataset of the plan.
  const auto describe_place = [](hid_t dataset) { write_hdf5_text(dataset, kUnits, "rad"); };
  const auto describe = [&](hid_t made, hid_t dataset) {
    if (has_values) {
      write_hdf5_metadata(dataset, points.metadata);
      describe_place(create_hdf5_dataset(made, kTheta, H5T_IEEE_F64LE, {static_cast<hsize_t>(count)}).get());
    } else {
      describe_place(dataset);
      if (!points.metadata.coordsys.empty()) write_hdf5_text(dataset, "COORDSYS", points.metadata.coordsys);
    }
    describe_place(create_hdf5_dataset(made, kPhi, H5T_IEEE_F64LE, {static_cast<hsize_t>(count)}).get());
  };
  const Hdf5Plan plan{.dataset = has_values ? kValues : kTheta,
                      .rows = components,
                      .columns = count,
                      .file_type = hdf5_real_file_type(has_values ? points.precision : Precision::kDouble),
                      .describe = describe};
  PlacedDataset dataset(comm, file, plan,
                        has_values ? std::vector<std::string>{kTheta, kPhi} : std::vector<std::string>{kPhi});
  const core::IndexRange own = points.ranges[static_cast<std::size_t>(comm.rank())];
  comm::phase(comm, [&] {
    const auto write_place = [&](std::size_t other, std::span<const double> place) {
      dataset.write_other(other, own.first * static_cast<Index>(sizeof(double)), place.data(),
                          static_cast<Index>(place.size_bytes()));
    };
    if (has_values) {
      const Hdf5Handle type = hdf5_memory_type<T>();
      for (Index c = 0; c < components; ++c)
        dataset.write_converted(0, c, {&own, 1}, type.get(), points.component(c).data());
      write_place(0, points.theta);
    } else {
      dataset.write(0, 0, {&own, 1}, reinterpret_cast<const std::byte*>(points.theta.data()));
    }
    write_place(has_values ? 1 : 0, points.phi);
    dataset.finish();
  });
}

Index hdf5_points_bytes(Index points, Index components, Precision precision) {
  constexpr Index kHeaders = 8192;
  return core::saturating_sum(
      kHeaders, core::saturating_product(points, 2 * 8 + components * (precision == Precision::kSingle ? 4 : 8)));
}

ARMILLA_INSTANTIATE(read_hdf5_points);
ARMILLA_INSTANTIATE(write_hdf5_points);

}  // namespace armilla::io
