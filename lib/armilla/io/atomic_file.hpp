#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <string>

namespace armilla::io {

using core::Index;

/// A file that appears under its name whole or not at all: it is written as `.NAME.partial` in the same folder, then
/// synced and renamed. Root removes the temporary file where commit() was not reached.
class AtomicFile {
 public:
  /// Collective. Creates the empty temporary file, over a stale one. Throws InputError where the folder does not exist,
  /// ResourceError, naming the folder, where it cannot be written.
  AtomicFile(const comm::Communicator& comm, std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& partial_path() const { return partial_; }

  /// Root only. Throws ResourceError unless `bytes` can be stored now; leaves the temporary file empty. So a full disk
  /// is found before a library holds unwritten buffers, which it could then neither write nor give up.
  void check_space(Index bytes) const;
  /// Root only. Gives disk blocks to all bytes of the temporary file as it stands, holes included. Throws
  /// ResourceError.
  void reserve() const;
  /// Collective. Every rank syncs what it wrote, root renames. Throws ResourceError.
  void commit();

 private:
  const comm::Communicator& comm_;
  std::string path_;
  std::string folder_;
  std::string partial_;
  bool committed_ = false;
};

/// What a failed write to `path` is called: full disk, quota and limits of file size have their own advice.
std::string write_error_text(const std::string& path, int error_number);

}  // namespace armilla::io
