#pragma once

#include <concepts>
#include <string>
#include <utility>

namespace armilla::core {

/// A file to be written, and the job that writes it. A path alone converts to it.
struct OutputPath {
  template <std::convertible_to<std::string> Path>
  OutputPath(Path file) : path(std::move(file)) {}
  OutputPath(std::string file, std::string job_mark) : path(std::move(file)), mark(std::move(job_mark)) {}

  std::string path;
  std::string mark;  ///< part of the names of partial files by which a later run of the job finds them; may be empty
  /// Where not empty, the path of an unfinished file that outlives the process (PartialFile::keep), on the file system
  /// of `path`, and by which a later run continues it.
  std::string kept = {};
  /// Of the locks of writers of a kept file: the number of the first, so that those of concurrent runs differ.
  int first_writer = 0;
};

/// The file that a write to `path` creates or replaces: symbolic links are followed, dangling ones too. Throws
/// InputError for a folder, for devices, FIFOs and sockets, which a renamed file would replace, where the folder does
/// not exist, and for names and paths that are too long for the file system.
std::string output_target(const std::string& path);

/// A file that is written under a unique temporary name, `.armilla-<mark>-<random>.partial`, beside its target, and
/// then renamed. The name does not depend on the length of the target's name, and no two processes share a partial
/// file, so none can publish what another has not finished. The exception are kept files (OutputPath::kept), which
/// several runs write, each its part.
class PartialFile {
 public:
  /// Creates the partial file, empty (O_EXCL), or takes the kept file where there is one. Throws InputError as
  /// output_target(), or where the folder is not writable; ResourceError where the disk is full.
  explicit PartialFile(const OutputPath& output);
  /// Removes what was neither published nor kept.
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  /// Of the partial file.
  const std::string& path() const { return partial_; }
  /// Whether it was taken from an earlier run, or from another run that was faster to keep() its own.
  bool is_continued() const { return continued_; }
  /// Gives the partial file the name OutputPath::kept, under which it outlives the process. Where another process has
  /// kept one under that name meanwhile, that file is taken, and the own one removed. Throws ResourceError.
  void keep();
  /// Removes the file, a kept one too.
  void discard();
  /// Renames the partial file to the target, and syncs the folder. The content must have been synced before. Throws
  /// ResourceError.
  void publish();

 private:
  void rename_to_target();

  std::string output_;  // as the caller named it
  std::string target_;
  std::string partial_;
  std::string kept_;  // where it may be kept
  bool published_ = false;
  bool is_kept_ = false;
  bool continued_ = false;
};

/// Removes the partial files of a job in a folder that were not written to for `min_age` seconds, which no run of the
/// job may be writing; returns how many there were. Ignores what cannot be removed. `mark` is not empty.
int remove_partial_files(const std::string& folder, const std::string& mark, double min_age = 0);

/// Syncs a folder, so that new names in it reach the disk. Some file systems cannot; that is no error.
void sync_folder(const std::string& folder);

/// The folder of a file; "." for a bare name.
std::string folder_of(const std::string& path);

/// The message for a failed write to `path`: full disks, quotas and limits of file size have their own advice.
std::string write_error_text(const std::string& path, int error_number);

}  // namespace armilla::core
