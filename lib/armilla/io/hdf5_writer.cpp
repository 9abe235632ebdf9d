#include <armilla/io/hdf5_image.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/placed_writer.hpp>

#include <fmt/format.h>

namespace armilla::io {

Hdf5Handle reproducible_group_properties() {
  Hdf5Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, kResource, "group properties");
  hdf5_checked(H5Pset_obj_track_times(properties.get(), false), kResource, "group properties");
  return properties;
}

void create_hdf5(const AtomicFile& file, const Hdf5Plan& plan) {
  Hdf5Image image;
  {
    std::vector<hsize_t> extent;
    if (plan.maps > 0) extent.push_back(static_cast<hsize_t>(plan.maps));
    if (plan.maps > 0 || plan.rows > 0) extent.push_back(static_cast<hsize_t>(plan.rows));
    extent.push_back(static_cast<hsize_t>(plan.columns));
    const Hdf5Handle dataset = create_hdf5_dataset(image.file(), plan.dataset, plan.file_type.get(), extent);
    plan.describe(image.file(), dataset.get());
  }
  image.close();
  file.reserve(image.size());
  PlacedWriter out;
  out.open(file, 1);
  for (const auto& [position, bytes] : image.pieces())
    out.write(position, bytes.data(), static_cast<Index>(bytes.size()));
  out.finish();
}

Hdf5Handle create_hdf5_dataset(hid_t group, const std::string& name, hid_t file_type,
                               const std::vector<hsize_t>& extent) {
  const std::string context = fmt::format("dataset '{}' cannot be written: check the disk", name);
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose, kResource,
                         context);
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, kResource, context);
  hdf5_checked(H5Pset_obj_track_times(properties.get(), false), kResource, context);
  hdf5_checked(H5Pset_layout(properties.get(), H5D_CONTIGUOUS), kResource, context);
  hdf5_checked(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), kResource, context);
  hdf5_checked(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), kResource, context);
  return {H5Dcreate2(group, name.c_str(), file_type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Dclose,
          kResource, context};
}

void write_hdf5_column(hid_t group, const std::string& name, hid_t file_type, hid_t memory_type, Index count,
                       const void* values) {
  const Hdf5Handle dataset = create_hdf5_dataset(group, name, file_type, {static_cast<hsize_t>(count)});
  hdf5_checked(H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), kResource,
               fmt::format("dataset '{}' cannot be written: check the disk", name));
}

}  // namespace armilla::io
