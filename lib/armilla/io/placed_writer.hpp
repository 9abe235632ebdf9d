#pragma once

#include <armilla/core/types.hpp>
#include <armilla/io/atomic_file.hpp>

#include <string>

namespace armilla::io {

using core::Index;

/// Writes the part of one rank into a file that rank 0 has laid out, at places that the rank knows. It holds a
/// lock on a byte of its own far behind the data: without a lock, an NFS client fills up the pages that it writes to
/// with what it believes the file to hold, and so destroys numbers of ranks on other nodes
/// (docs/decisions/0002-parallel-files.md).
class PlacedWriter {
 public:
  PlacedWriter() = default;
  ~PlacedWriter();
  PlacedWriter(const PlacedWriter&) = delete;
  PlacedWriter& operator=(const PlacedWriter&) = delete;

  /// Not collective; rank 0 has made the file by then. `writers`: how many ranks write it; a kept file may have
  /// those of other runs besides. Throws ResourceError if
  /// this rank does not see it, or where there are several writers and NFS has no locks.
  void open(const AtomicFile& file, int writers);
  /// Not collective. Throws ResourceError.
  void write(Index position, const void* data, Index bytes) const;
  /// Not collective. What this rank has written so far reaches the disk. Throws ResourceError.
  void sync() const;
  /// Not collective. Syncs what this rank wrote and closes the file. Some file systems report lost data only to the
  /// descriptor that wrote it. Throws ResourceError.
  void finish();

 private:
  int descriptor_ = -1;
  std::string name_;
};

/// Reads an unpublished file that all ranks have finished writing.
class PlacedReader {
 public:
  PlacedReader() = default;
  ~PlacedReader();
  PlacedReader(const PlacedReader&) = delete;
  PlacedReader& operator=(const PlacedReader&) = delete;

  /// Not collective, after a barrier that follows PlacedWriter::finish() on all ranks. Throws ResourceError.
  void open(const AtomicFile& file);
  /// Not collective. Throws ResourceError.
  void read(Index position, void* data, Index bytes) const;

 private:
  int descriptor_ = -1;
  std::string name_;
};

}  // namespace armilla::io
