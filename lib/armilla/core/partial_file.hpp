#pragma once

#include <concepts>
#include <string>
#include <utility>

namespace armilla::core {

/// A file to be written, and the job that writes it. Implicitly constructible from a path.
struct OutputPath {
  template <std::convertible_to<std::string> Path>
  OutputPath(Path file) : path(std::move(file)) {}
  OutputPath(std::string file, std::string job_mark) : path(std::move(file)), mark(std::move(job_mark)) {}

  std::string path;
  std::string mark;  ///< part of the names of partial files, by which a later run of the job finds them; may be empty
  /// If not empty, the path of an unfinished file that outlives the process (PartialFile::keep), on the file system of
  /// `path`. A later run finds and continues it there.
  std::string kept = {};
  /// For a kept file: index of the first writer, for locks, so that the locks of concurrent runs differ.
  int first_writer = 0;
};

/// The file that a write to `path` creates or replaces: symbolic links are followed, dangling ones too. Throws
/// InputError for a folder; for devices, FIFOs and sockets, which a renamed file would replace; if the folder does not
/// exist; and for names and paths that are too long for the file system.
std::string output_target(const std::string& path);

/// A file that is written under a unique temporary name, `.armilla-<mark>-<random>.partial`, next to its target, and
/// then renamed. The name does not depend on the length of the target's name, and no two processes share a partial
/// file, so no process can publish what another has not finished. Kept files (OutputPath::kept) are an exception:
/// several runs each write their part.
class PartialFile {
 public:
  /// Creates the partial file, empty (O_EXCL), or uses the kept file if there is one. Throws InputError like
  /// output_target(), or if the folder is not writable; ResourceError if the disk is full.
  explicit PartialFile(const OutputPath& output);
  /// Removes the file if it was neither published nor kept.
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  /// Path of the partial file.
  const std::string& path() const { return partial_; }
  /// Whether the file is that of an earlier run, or of another run that called keep() first.
  bool is_continued() const { return continued_; }
  /// Renames the partial file to OutputPath::kept, under which it outlives the process. If another process has
  /// meanwhile kept a file under that name, that file is used, and this one is removed. Throws ResourceError.
  void keep();
  /// Removes the file, even if kept.
  void discard();
  /// Renames the partial file to the target, and syncs the folder. The content must have been synced before. Throws
  /// ResourceError.
  void publish();

 private:
  void rename_to_target();

  std::string output_;  // as specified by the caller
  std::string target_;
  std::string partial_;
  std::string kept_;  // path under which it may be kept
  bool published_ = false;
  bool is_kept_ = false;
  bool continued_ = false;
};

/// Removes the partial files of a job in a folder that have not been modified for `min_age` seconds; returns their
/// number. No run of the job may be writing them. Ignores files that cannot be removed. `mark` is not empty.
int remove_partial_files(const std::string& folder, const std::string& mark, double min_age = 0);

/// Syncs a folder, so that new names in it reach the disk. File systems that do not support this are not an error.
void sync_folder(const std::string& folder);

/// The folder of a file; "." for a name without one.
std::string folder_of(const std::string& path);

/// The message for a failed write to `path`, with specific advice for full disks, quotas and file size limits.
std::string write_error_text(const std::string& path, int error_number);

}  // namespace armilla::core
