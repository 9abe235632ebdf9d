#pragma once

#include <armilla/core/types.hpp>
#include <armilla/io/atomic_file.hpp>

#include <string>

namespace armilla::io {

using core::Index;

/// Not collective: bytes into a file that is there, at that position. Throws ResourceError that names `name`.
void write_bytes_at(int descriptor, Index position, const void* data, Index bytes, const std::string& name);

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

 private:
  int descriptor_ = -1;
  std::string name_;
};

}  // namespace armilla::io
