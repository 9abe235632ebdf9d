#include <armilla/io/file_probe.hpp>
#include <armilla/io/hdf5_ranges.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace armilla::io {

namespace {

// Compression of constant data and chunks that were never written can make a dataset this much larger than its file.
constexpr double kMaxExpansion = 1e5;

// Columns are read in one call. A column of more than kFreeColumn values may be larger than its stored size by at most
// kMaxColumnExpansion. Deflate stays within that limit even for equal values (1032).
constexpr Index kFreeColumn = Index{1} << 22;  // values
constexpr double kMaxColumnExpansion = 1100;

// Call before allocating memory from the shape of a dataset.
void check_stored(hid_t dataset, const std::array<hsize_t, 3>& extent, const std::string& context,
                  const std::string& path) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, kInput, context);
  const Hdf5Handle properties(H5Dget_create_plist(dataset), H5Pclose, kInput, context);
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  double bytes = static_cast<double>(H5Tget_size(type.get()));
  for (const hsize_t count : extent) bytes *= static_cast<double>(std::max<hsize_t>(count, 1));
  const auto size = static_cast<double>(file_size(path));
  if (bytes > size * (layout == H5D_CHUNKED ? kMaxExpansion : 1))
    throw core::InputError(fmt::format(
        "{} declares {:.0f} bytes, but the file has {:.0f}: it is truncated or damaged, or was never written", context,
        bytes, size));
}

}  // namespace

Hdf5Shape hdf5_shape(hid_t dataset, const std::string& name, const std::string& path) {
  const std::string context = fmt::format("'{}': dataset '{}'", path, name);
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, kInput, context);
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  if (dimensions < 1 || dimensions > 3)
    throw core::InputError(
        fmt::format("{} has {} dimensions: it must be [component][index], [index], or [map][component][index]", context,
                    dimensions));
  std::array<hsize_t, 3> extent{0, 1, 1};
  H5Sget_simple_extent_dims(space.get(), extent.data() + (3 - dimensions), nullptr);
  check_stored(dataset, extent, context, path);
  if (dimensions == 3 && extent[0] == 0)
    throw core::InputError(fmt::format("{} has a batch axis of length 0", context));
  return {static_cast<Index>(extent[1]), static_cast<Index>(extent[2]), static_cast<Index>(extent[0])};
}

void check_hdf5_counts(const Hdf5Shape& shape, const std::string& name, const std::string& path) {
  constexpr Index kMostComponents = Index{1} << 16, kMostMaps = 10'000'000;
  if (shape.rows > kMostComponents || shape.maps > kMostMaps)
    throw core::InputError(
        fmt::format("'{}': dataset '{}' has {} components of {} maps, but at most {} and {} are supported: use a "
                    "smaller file, or correct its shape, [component][index] or [map][component][index]",
                    path, name, shape.rows, std::max<Index>(shape.maps, 1), kMostComponents, kMostMaps));
}

core::Precision hdf5_precision(hid_t dataset, const std::string& name, const std::string& path) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, core::ErrorKind::kInput,
                        fmt::format("'{}': dataset '{}'", path, name));
  const H5T_class_t kind = H5Tget_class(type.get());
  // Booleans, as h5py writes arrays of bool, become 0 and 1.
  const bool truths = kind == H5T_ENUM && H5Tget_nmembers(type.get()) == 2;
  if (kind != H5T_FLOAT && kind != H5T_INTEGER && !truths)
    throw core::InputError(fmt::format(
        "'{}': dataset '{}' does not contain real numbers: write float32 or float64, or for masks also uint8 or bool",
        path, name));
  // Integers of more than 16 bits do not fit in the 24 bits of single precision.
  const std::size_t exact_in_single = kind == H5T_FLOAT ? 4 : 2;
  return H5Tget_size(type.get()) <= exact_in_single ? core::Precision::kSingle : core::Precision::kDouble;
}

void read_hdf5_ranges(hid_t dataset, hid_t memory_type, Index row, std::span<const core::IndexRange> ranges, void* out,
                      const std::string& path) {
  const std::string context = fmt::format("'{}' cannot be read", path);
  const Hdf5Handle file_space(H5Dget_space(dataset), H5Sclose, kInput, context);
  const int dimensions = H5Sget_simple_extent_ndims(file_space.get());
  std::array<hsize_t, 3> whole{1, 1, 1};
  const auto skipped = static_cast<std::size_t>(3 - dimensions);
  H5Sget_simple_extent_dims(file_space.get(), whole.data() + skipped, nullptr);
  const auto rows = std::max<hsize_t>(whole[1], 1);
  auto* target = static_cast<char*>(out);
  for (const core::IndexRange& range : ranges) {
    const auto count = static_cast<hsize_t>(range.count);
    const std::array<hsize_t, 3> start{static_cast<hsize_t>(row) / rows, static_cast<hsize_t>(row) % rows,
                                       static_cast<hsize_t>(range.first)};
    const std::array<hsize_t, 3> extent{1, 1, count};
    hdf5_checked(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data() + skipped, nullptr,
                                     extent.data() + skipped, nullptr),
                 kInput, context);
    const Hdf5Handle memory_space(H5Screate_simple(1, &count, nullptr), H5Sclose, kInput, context);
    hdf5_checked(H5Dread(dataset, memory_type, memory_space.get(), file_space.get(), H5P_DEFAULT, target), kInput,
                 context);
    target += range.count * static_cast<Index>(H5Tget_size(memory_type));
  }
}

void check_hdf5_column(hid_t dataset, const Hdf5Shape& shape, const std::string& name, const std::string& path) {
  if (shape.rows != 1 || shape.maps > 0)
    throw core::InputError(fmt::format("'{}': dataset '{}' must have one dimension", path, name));
  const auto stored = static_cast<double>(H5Dget_storage_size(dataset));
  if (shape.columns > kFreeColumn && static_cast<double>(shape.columns) > stored * kMaxColumnExpansion)
    throw core::InputError(
        fmt::format("'{}': dataset '{}' declares {} numbers, but {:.0f} bytes are stored: it is damaged", path, name,
                    shape.columns, stored));
}

std::vector<double> read_hdf5_column(hid_t group, const std::string& name, const std::string& path) {
  const Hdf5Handle dataset = open_hdf5_dataset(group, name, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), name, path);
  check_hdf5_column(dataset.get(), shape, name, path);
  std::vector<double> values(static_cast<std::size_t>(shape.columns));
  const core::IndexRange all{0, shape.columns};
  read_hdf5_ranges(dataset.get(), H5T_NATIVE_DOUBLE, 0, {&all, 1}, values.data(), path);
  return values;
}

std::vector<core::IndexRange> joined(std::span<const core::IndexRange> ranges) {
  std::vector<core::IndexRange> result;
  for (const core::IndexRange& range : ranges) {
    if (!result.empty() && result.back().first + result.back().count == range.first)
      result.back().count += range.count;
    else
      result.push_back(range);
  }
  return result;
}

}  // namespace armilla::io
