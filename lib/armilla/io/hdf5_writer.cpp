#include <armilla/comm/phase.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

namespace armilla::io {

namespace {

constexpr auto kResource = core::ErrorKind::kResource;

// Superblock, object headers and attributes take a few KiB; ring tables come to 32 bytes per ring at most.
constexpr Index kDescriptionBytes = Index{1} << 20;

std::string write_context(const AtomicFile& file) {
  return fmt::format("'{}' cannot be written: check the disk", file.path());
}

// Opening with MPI-IO is collective: a rank that cannot see the file must be found before.
void check_visible(const comm::Communicator& comm, const AtomicFile& file) {
  if (::access(file.partial_path().c_str(), R_OK | W_OK) == 0) return;
  throw core::ResourceError(fmt::format(
      "output '{}': rank {} does not see the file that rank 0 made ({}): write to a folder that all nodes share",
      file.path(), comm.rank(), std::strerror(errno)));
}

Hdf5Handle open_parallel(const comm::Communicator& comm, const AtomicFile& file) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, kResource, write_context(file));
  hdf5_checked(H5Pset_fapl_mpio(access.get(), comm.native(), MPI_INFO_NULL), kResource, write_context(file));
  return {H5Fopen(file.partial_path().c_str(), H5F_ACC_RDWR, access.get()), H5Fclose, kResource, write_context(file)};
}

Hdf5Handle transfer_properties(bool parallel, const std::string& context) {
  Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, kResource, context);
  // Independent, because ranks have different numbers of ranges.
  if (parallel) hdf5_checked(H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_INDEPENDENT), kResource, context);
  return transfer;
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
  file.check_space(std::max<Index>(plan.maps, 1) * plan.rows * plan.columns * static_cast<Index>(H5Tget_size(plan.file_type.get())) +
                   kDescriptionBytes);
  Hdf5Handle handle(H5Fcreate(file.partial_path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                    kResource, context);
  {
    const std::array<hsize_t, 3> extent{static_cast<hsize_t>(plan.maps), static_cast<hsize_t>(plan.rows),
                                        static_cast<hsize_t>(plan.columns)};
    const int dimensions = plan.maps > 0 ? 3 : 2;
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

Hdf5Handle reopen_hdf5(const AtomicFile& file) {
  return {H5Fopen(file.partial_path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, kResource, write_context(file)};
}

void write_hdf5_in_parallel(const comm::Communicator& comm, const AtomicFile& file, const Hdf5Plan& plan,
                            hid_t memory_type, std::span<const dist::PixelRange> ranges, const void* local) {
  comm::phase(comm, [&] {
    silence_hdf5();
    if (comm.is_root()) create_hdf5(file, plan);
  });
  comm::phase(comm, [&] { check_visible(comm, file); });

  // Handles live outside the phases: when one phase fails on any rank, all ranks release them together, as MPI-IO
  // needs.
  const bool parallel = comm.size() > 1;
  const std::string context = write_context(file);
  Hdf5Handle handle;
  comm::phase(comm, [&] { handle = parallel ? open_parallel(comm, file) : reopen_hdf5(file); });
  comm::phase(comm, [&] {
    const Hdf5Handle dataset(H5Dopen2(handle.get(), plan.dataset.c_str(), H5P_DEFAULT), H5Dclose, kResource, context);
    const Hdf5Handle transfer = transfer_properties(parallel, context);
    const std::vector<dist::PixelRange> pieces = joined(ranges);
    Index own = 0;
    for (const dist::PixelRange& range : pieces) own += range.count;
    const Index row_bytes = own * static_cast<Index>(H5Tget_size(memory_type));
    for (Index row = 0; row < plan.rows; ++row)
      write_hdf5_ranges(dataset.get(), memory_type, transfer.get(), row, pieces,
                        static_cast<const char*>(local) + row * row_bytes, file.path());
  });
  comm::phase(comm, [&] { handle.close(context); });
}

void write_hdf5_column(hid_t group, const std::string& name, hid_t file_type, hid_t memory_type, Index count,
                       const void* values) {
  const std::string context = fmt::format("dataset '{}' cannot be written: check the disk", name);
  const auto extent = static_cast<hsize_t>(count);
  const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, kResource, context);
  const Hdf5Handle properties = reproducible_dataset_properties();
  const Hdf5Handle dataset(
      H5Dcreate2(group, name.c_str(), file_type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Dclose,
      kResource, context);
  hdf5_checked(H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), kResource, context);
}

}  // namespace armilla::io
