#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/placed_writer.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// Data of an HDF5 file that is being written. Its dataset is contiguous, so its offset in the file is known. Ranks
/// write their parts of any row in any order, independently, without HDF5 or MPI
/// (docs/decisions/0002-parallel-files.md).
class PlacedDataset {
 public:
  /// Whether the root must create the file, or it already exists with the same plan.
  enum class Layout { kMake, kDone };
  /// Collective. The root creates the file (create_hdf5()). All ranks get the offsets of the dataset of the plan and of
  /// the datasets `others`. Throws ResourceError, also if the file is not visible to a rank.
  PlacedDataset(const comm::Communicator& comm, const AtomicFile& file, const Hdf5Plan& plan,
                const std::vector<std::string>& others = {}, Layout layout = Layout::kMake);

  /// Bytes of one value in the file.
  Index number_bytes() const { return number_bytes_; }

  /// Not collective, thread-safe. Writes columns `ranges` of a row of a map, range by range; `values` has the data type
  /// of the file. Without a batch axis `map` is 0. Throws ResourceError.
  void write(Index map, Index row, std::span<const core::IndexRange> ranges, const std::byte* values) const;
  /// write() for values of `memory_type`, which are converted. Calls HDF5.
  void write_converted(Index map, Index row, std::span<const core::IndexRange> ranges, hid_t memory_type,
                       const void* values) const;
  /// Not collective, thread-safe. Writes bytes of the dataset with index `other` among `others`, starting at `first`.
  /// Throws ResourceError.
  void write_other(std::size_t other, Index first, const void* values, Index bytes) const;
  /// Not collective, thread-safe. Syncs everything that this rank has written so far. Throws ResourceError.
  void sync() const { writer_.sync(); }
  /// Not collective. Call when this rank has written everything, before AtomicFile::commit(). See
  /// PlacedWriter::finish().
  void finish() { writer_.finish(); }

 private:
  Index position(Index map, Index row, Index column) const;

  std::string path_;
  Hdf5Handle file_type_;
  Index rows_;
  Index columns_;
  Index number_bytes_;
  std::vector<Index> begins_;  ///< offsets of the dataset of the plan, then of `others` [bytes]
  PlacedWriter writer_;
};

}  // namespace armilla::io
