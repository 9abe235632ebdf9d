#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/placed_dataset.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// The number of maps in the dataset of that shape. If a dataset `present` [map] exists, it gives the maps that are
/// present. Throws InputError.
BatchAxis read_batch_axis(hid_t file, const Hdf5Shape& shape, const std::string& path);

/// Throws InputError if map `batch.map` was left out of the file, and InternalError if the axis has no such map.
void check_present(const std::string& path, const BatchAxis& batch);

/// An HDF5 file with a batch axis, being written. It has a dataset [map][row][column], `present` [map] of bytes, 1 if
/// the map is in the file, and `label` [map], the name of each map. Ranks write their parts of any map independently
/// and in any order.
class BatchFile {
 public:
  /// Collective. `plan.maps` maps, with one entry of `labels` each. If `output` is to be kept and exists from an
  /// earlier run, that file is continued.
  BatchFile(const comm::Communicator& comm, const core::OutputPath& output, Hdf5Plan plan,
            const std::vector<std::string>& labels);
  BatchFile(const BatchFile&) = delete;
  BatchFile& operator=(const BatchFile&) = delete;

  /// Not collective, thread-safe. `values`: [row][local column], of the data type of the file (float, double, or
  /// complex of them), for the columns `ranges`. Throws ResourceError.
  void write(Index map, std::span<const core::IndexRange> ranges, std::span<const std::byte> values);
  /// Not collective; called by one rank. Marks a map as present.
  void mark_present(Index map);
  /// Not collective; called by one rank. Fills an absent map with NaN.
  void leave_out(Index map);
  /// Not collective, thread-safe. Syncs everything that this rank has written so far. Throws ResourceError.
  void sync() const { maps_->sync(); }
  /// Collective, after all ranks have written. Completes the file on disk, under its partial name.
  void finish();
  /// Path of the file before it is published.
  const std::string& partial_path() const { return file_.partial_path(); }
  /// Root only, after finish(). Renames the file to its final name. Throws ResourceError.
  void publish() { file_.publish(); }

  /// Bytes of one value.
  Index number_bytes() const { return maps_->number_bytes(); }
  core::Precision precision() const { return precision_; }

 private:
  AtomicFile file_;
  Index rows_;
  Index columns_;
  core::Precision precision_;
  std::optional<PlacedDataset> maps_;  // its additional dataset is `present`
};

}  // namespace armilla::io
