#pragma once

#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_handle.hpp>

#include <functional>
#include <string>

namespace armilla::io {

/// A file with one large dataset [row][column], [map][row][column] or [column], and what describes it.
struct Hdf5Plan {
  std::string dataset;
  Index rows = 0;  ///< 0: one dimension, [column]
  Index columns = 0;
  Hdf5Handle file_type;
  /// Writes attributes and small datasets, or the numbers of `dataset`; called on the root with file and dataset.
  std::function<void(hid_t file, hid_t dataset)> describe;
  Index maps = 0;         ///< 0: no batch axis
  Index other_bytes = 0;  ///< of large datasets that `describe` makes
};

/// Root only, no MPI. Makes the whole file but the numbers of the dataset, with disk space for them, and closes it.
/// Throws ResourceError. The bytes depend on the plan only.
void create_hdf5(const AtomicFile& file, const Hdf5Plan& plan);

/// A one-dimensional dataset in a group, without its numbers. Root only. Throws ResourceError.
Hdf5Handle create_hdf5_column(hid_t group, const std::string& name, hid_t file_type, Index count);
/// The same, written whole. Root only. Throws ResourceError.
void write_hdf5_column(hid_t group, const std::string& name, hid_t file_type, hid_t memory_type, Index count,
                       const void* values);

/// Creation properties without time stamps, so that equal content gives equal bytes; of a dataset: one piece of disk,
/// set aside at once and not filled.
Hdf5Handle reproducible_dataset_properties();
Hdf5Handle reproducible_group_properties();

}  // namespace armilla::io
