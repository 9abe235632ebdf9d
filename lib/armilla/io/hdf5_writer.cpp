#include <armilla/io/hdf5_writer.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace armilla::io {

namespace {

// Superblock, object headers and attributes take a few KiB; ring tables take at most 32 bytes per ring.
constexpr Index kDescriptionBytes = Index{1} << 20;

std::string write_context(const AtomicFile& file) {
  return fmt::format("'{}' cannot be written: check the disk", file.path());
}

}  // namespace

Hdf5Handle reproducible_dataset_properties() {
  const std::string context = "dataset properties";
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, kResource, context);
  hdf5_checked(H5Pset_obj_track_times(properties.get(), false), kResource, context);
  hdf5_checked(H5Pset_layout(properties.get(), H5D_CONTIGUOUS), kResource, context);
  hdf5_checked(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), kResource, context);
  hdf5_checked(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), kResource, context);
  return properties;
}

Hdf5Handle reproducible_group_properties() {
  Hdf5Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, kResource, "group properties");
  hdf5_checked(H5Pset_obj_track_times(properties.get(), false), kResource, "group properties");
  return properties;
}

void create_hdf5(const AtomicFile& file, const Hdf5Plan& plan) {
  silence_hdf5();
  const std::string context = write_context(file);
  file.check_space(std::max<Index>(plan.maps, 1) * std::max<Index>(plan.rows, 1) * plan.columns *
                       static_cast<Index>(H5Tget_size(plan.file_type.get())) +
                   plan.other_bytes + kDescriptionBytes);
  Hdf5Handle handle(H5Fcreate(file.partial_path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                    kResource, context);
  {
    const std::array<hsize_t, 3> extent{static_cast<hsize_t>(plan.maps), static_cast<hsize_t>(plan.rows),
                                        static_cast<hsize_t>(plan.columns)};
    const int dimensions = plan.maps > 0 ? 3 : plan.rows > 0 ? 2 : 1;
    const Hdf5Handle space(H5Screate_simple(dimensions, extent.data() + (3 - dimensions), nullptr), H5Sclose, kResource,
                           context);
    const Hdf5Handle properties = reproducible_dataset_properties();
    const Hdf5Handle dataset(H5Dcreate2(handle.get(), plan.dataset.c_str(), plan.file_type.get(), space.get(),
                                        H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                             H5Dclose, kResource, context);
    plan.describe(handle.get(), dataset.get());
  }
  handle.close(context);
  file.reserve();
}

Hdf5Handle create_hdf5_column(hid_t group, const std::string& name, hid_t file_type, Index count) {
  const std::string context = fmt::format("dataset '{}' cannot be written: check the disk", name);
  const auto extent = static_cast<hsize_t>(count);
  const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, kResource, context);
  const Hdf5Handle properties = reproducible_dataset_properties();
  return {H5Dcreate2(group, name.c_str(), file_type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Dclose,
          kResource, context};
}

void write_hdf5_column(hid_t group, const std::string& name, hid_t file_type, hid_t memory_type, Index count,
                       const void* values) {
  const Hdf5Handle dataset = create_hdf5_column(group, name, file_type, count);
  hdf5_checked(H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), kResource,
               fmt::format("dataset '{}' cannot be written: check the disk", name));
}

}  // namespace armilla::io
