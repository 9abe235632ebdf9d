#pragma once

#include <armilla/core/types.hpp>
#include <armilla/io/atomic_file.hpp>

#include <string>

namespace armilla::io {

using core::Index;

/// Per-rank handle to a file being written: writes the part of one rank at given offsets of a file created by rank 0.
/// It holds a lock on its own byte far beyond the data. Without a lock, an NFS client fills the rest of each written
/// page from its cache, and overwrites data of ranks on other nodes (docs/decisions/0002-parallel-files.md).
class PlacedWriter {
 public:
  PlacedWriter() = default;
  ~PlacedWriter();
  PlacedWriter(const PlacedWriter&) = delete;
  PlacedWriter& operator=(const PlacedWriter&) = delete;

  /// Not collective; rank 0 must have created the file. `writers`: number of ranks that write it; a kept file may also
  /// have writers of other runs. Throws ResourceError if the file is not visible to this rank, or if there are several
  /// writers and NFS has no locks.
  void open(const AtomicFile& file, int writers);
  /// Not collective. Throws ResourceError.
  void write(Index position, const void* data, Index bytes) const;
  /// Not collective. Syncs everything that this rank has written so far. Throws ResourceError.
  void sync() const;
  /// Not collective. Syncs everything that this rank has written, and closes the file. Some file systems report lost
  /// data only to the descriptor that wrote it. Throws ResourceError.
  void finish();

 private:
  int descriptor_ = -1;
  std::string name_;
};

/// Reads an unpublished file after all ranks have finished writing.
class PlacedReader {
 public:
  PlacedReader() = default;
  ~PlacedReader();
  PlacedReader(const PlacedReader&) = delete;
  PlacedReader& operator=(const PlacedReader&) = delete;

  /// Not collective. Call after a barrier that follows PlacedWriter::finish() on all ranks. Throws ResourceError.
  void open(const AtomicFile& file);
  /// Not collective. Throws ResourceError.
  void read(Index position, void* data, Index bytes) const;

 private:
  int descriptor_ = -1;
  std::string name_;
};

}  // namespace armilla::io
