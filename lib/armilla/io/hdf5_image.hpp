#pragma once

#include <armilla/io/hdf5_handle.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace armilla::io {

/// An HDF5 file that HDF5 creates in memory. HDF5 ignores some failed writes (those of the small datasets that it
/// buffers, when it closes them), and crashes at exit if it cannot close a file; here its writes cannot fail. Datasets
/// whose space is allocated but not written take no memory.
class Hdf5Image {
 public:
  /// Creates an empty file. Throws ResourceError.
  Hdf5Image();
  ~Hdf5Image();
  Hdf5Image(const Hdf5Image&) = delete;
  Hdf5Image& operator=(const Hdf5Image&) = delete;

  /// The file, until close().
  hid_t file() const { return file_.get(); }
  /// Closes the file and all its objects; afterwards its bytes are complete. Throws ResourceError.
  void close();
  /// Bytes of the file.
  Index size() const;
  /// All bytes that HDF5 wrote, by their position, in ascending order. The bytes between them are unspecified.
  const std::map<Index, std::vector<std::byte>>& pieces() const;

  struct Content;

 private:
  std::unique_ptr<Content> content_;
  Hdf5Handle file_;
};

}  // namespace armilla::io
