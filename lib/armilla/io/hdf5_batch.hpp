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

/// How many maps the dataset of that shape holds, and, from dataset `present` [map] where there is one, which of them
/// are there. Throws InputError.
BatchAxis read_batch_axis(hid_t file, const Hdf5Shape& shape, const std::string& path);

/// Throws InputError if map `batch.map` was left out of the file, InternalError where the axis has no such map.
void check_present(const std::string& path, const BatchAxis& batch);

/// An HDF5 file with a batch axis that is being written: a dataset [map][row][column], `present` [map] of bytes, 1
/// if the map is in the file, and `label` [map], the name of each. Ranks write their parts of any map in any order,
/// each by itself.
class BatchFile {
 public:
  /// Collective. `plan.maps` maps; `labels` has as many. Where `output` is to be kept, and is there from an earlier
  /// run, that file is continued.
  BatchFile(const comm::Communicator& comm, const core::OutputPath& output, Hdf5Plan plan,
            const std::vector<std::string>& labels);
  BatchFile(const BatchFile&) = delete;
  BatchFile& operator=(const BatchFile&) = delete;

  /// Not collective, of any thread. `values`: [row][own column], of the number type of the file (float, double, or
  /// complex of them), for the columns `ranges`. Throws ResourceError.
  void write(Index map, std::span<const dist::PixelRange> ranges, std::span<const std::byte> values);
  /// Not collective. Says that a map is there. By one rank.
  void mark_present(Index map);
  /// Not collective. NaN in all of a map, which is not there. By one rank.
  void leave_out(Index map);
  /// Not collective, of any thread. What this rank has written so far reaches the disk. Throws ResourceError.
  void sync() const { maps_->sync(); }
  /// Collective, when all ranks have written all: the file is complete on the disk, under its partial name.
  void finish();
  /// Of the file before it is published.
  const std::string& partial_path() const { return file_.partial_path(); }
  /// Root only, after finish(). The file appears under its name. Throws ResourceError.
  void publish() { file_.publish(); }

  /// Bytes of one number.
  Index number_bytes() const { return maps_->number_bytes(); }
  core::Precision precision() const { return precision_; }

 private:
  AtomicFile file_;
  Index rows_;
  Index columns_;
  core::Precision precision_;
  std::optional<PlacedDataset> maps_;  // its other dataset is `present`
};

}  // namespace armilla::io
