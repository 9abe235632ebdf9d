#pragma once

#include <armilla/core/types.hpp>

#include <span>
#include <string>

namespace armilla::core {

/// Size and modification time of a file, or that the file is missing.
struct FileStamp {
  Index size = -1;
  Index mtime = 0;  ///< [ns] since 1970
  bool is_there() const { return size >= 0; }
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
/// Follows symbolic links.
FileStamp stamp_of(const std::string& path);

/// Identifies the content of a file on one node: if another file is renamed to its path, at least one member differs.
struct FileState {
  FileStamp stamp;
  Index device = 0;
  Index inode = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};
/// Opens the file, because network file systems may report old states of files that are not open. Throws InputError
/// like InputFile.
FileState state_of(const std::string& path);
/// Throws InputError if the state of the file is no longer `seen`.
void check_unchanged(const std::string& path, const FileState& seen);

/// A file that was read, and its state then.
struct SeenFile {
  std::string path;
  FileState state;
  friend bool operator==(const SeenFile&, const SeenFile&) = default;
};

/// A regular file that is open for reading.
class InputFile {
 public:
  /// Throws InputError, with the system's reason, unless `path` is a regular file, or a link to one, that can be
  /// opened.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  /// The state when the file was opened.
  const FileState& state() const { return state_; }
  /// Bytes, when the file was opened.
  Index size() const { return state_.stamp.size; }
  /// Takes a shared lock (flock) until the file is closed; false if another process has it open for writing with an
  /// exclusive lock, as HDF5 does. True if the file system has no locks.
  bool lock() const;
  /// Reads bytes starting at `position` up to the end of `out` or of the file; returns their number. Throws
  /// ResourceError if the system cannot read them.
  Index read_some(Index position, std::span<char> out) const;
  /// Fills `out` with the bytes starting at `position`. Throws like read_some(), and InputError if the file ends
  /// before.
  void read(Index position, std::span<char> out) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  FileState state_;
};

/// Throws like InputFile if `path` cannot be opened for reading.
void check_readable(const std::string& path);

}  // namespace armilla::core
