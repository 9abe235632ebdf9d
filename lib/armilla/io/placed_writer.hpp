#pragma once

#include <armilla/core/types.hpp>
#include <armilla/io/atomic_file.hpp>

#include <string>

namespace armilla::io {

using core::Index;

/// A rank's own hand on a file in the making that rank 0 has laid out: it writes at places that it knows.
class PlacedWriter {
 public:
  PlacedWriter() = default;
  ~PlacedWriter();
  PlacedWriter(const PlacedWriter&) = delete;
  PlacedWriter& operator=(const PlacedWriter&) = delete;

  /// Not collective; rank 0 has made the file by then. Throws ResourceError where this rank does not see it.
  void open(const AtomicFile& file);
  /// Not collective. Throws ResourceError.
  void write(Index position, const void* data, Index bytes) const;
  /// Not collective. What has been written there, by any rank that a barrier was passed with since. Throws
  /// ResourceError.
  void read(Index position, void* data, Index bytes) const;

 private:
  int descriptor_ = -1;
  std::string name_;
};

}  // namespace armilla::io
