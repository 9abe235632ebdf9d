#pragma once

#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_handle.hpp>

#include <functional>
#include <string>
#include <vector>

namespace armilla::io {

/// A file with one large dataset [row][column], [map][row][column] or [column], and its metadata.
struct Hdf5Plan {
  std::string dataset;
  Index rows = 0;  ///< 0: one dimension, [column]
  Index columns = 0;
  Hdf5Handle file_type;
  /// Writes attributes and small datasets, or the values of `dataset`. Called on the root with file and dataset.
  std::function<void(hid_t file, hid_t dataset)> describe;
  Index maps = 0;  ///< 0: no batch axis
};

/// Root only, no MPI. Creates the complete file in memory (Hdf5Image) except for the values of the dataset, reserves
/// disk space for it, and writes and syncs it. The bytes written depend only on the plan. Throws ResourceError.
void create_hdf5(const AtomicFile& file, const Hdf5Plan& plan);

/// Root only. Creates a dataset in a group without writing its values. It has no time stamps, so that equal content
/// gives equal bytes, and is contiguous, allocated early and not filled. Throws ResourceError.
Hdf5Handle create_hdf5_dataset(hid_t group, const std::string& name, hid_t file_type,
                               const std::vector<hsize_t>& extent);
/// Root only. Creates a one-dimensional dataset and writes all its values. Throws ResourceError.
void write_hdf5_column(hid_t group, const std::string& name, hid_t file_type, hid_t memory_type, Index count,
                       const void* values);

/// Creation properties without time stamps.
Hdf5Handle reproducible_group_properties();

}  // namespace armilla::io
