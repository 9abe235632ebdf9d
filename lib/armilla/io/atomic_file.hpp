#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/core/types.hpp>

#include <optional>
#include <string>

namespace armilla::io {

using core::Index;

/// A core::PartialFile written by all ranks. It gets its final name only when it is complete. The root creates it and
/// sends its name to the others. The root removes it if commit() was not reached, unless it is kept.
class AtomicFile {
 public:
  /// Collective. Creates the empty partial file, or opens that of an earlier run if it is kept. Throws InputError if
  /// `output` cannot become a file (core::output_target) or its folder is not writable. Throws ResourceError if the
  /// disk is full.
  AtomicFile(const comm::Communicator& comm, core::OutputPath output);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// The output path as given by the caller, for messages.
  const std::string& path() const { return path_; }
  /// Path of the partial file; for a kept file on ranks other than the root, the path after keep().
  const std::string& partial_path() const { return partial_; }
  /// Index of the first of its writers, for their locks.
  int first_writer() const { return first_writer_; }
  const comm::Communicator& comm() const { return comm_; }

  /// Root only. Throws ResourceError unless `bytes` can be stored now; leaves the partial file empty. A full disk is
  /// thus detected before a library has unwritten buffers, which it could then neither write nor discard.
  void check_space(Index bytes) const;
  /// Root only. Extends the partial file to `bytes` and allocates its disk blocks. Throws ResourceError.
  void reserve(Index bytes) const;
  /// Root only. Whether the file is from an earlier run, whose layout must not be created again.
  bool is_continued() const { return made_ && made_->is_continued(); }
  /// Root only. For a kept file, when its layout is complete: see core::PartialFile::keep(). No effect for other files.
  void keep();
  /// Collective. Syncs the file on all ranks; it stays under its partial name. Throws ResourceError.
  void sync() const;
  /// Root only, after sync(). Renames the file. Throws ResourceError.
  void publish();
  /// Root only. Removes the file.
  void discard();
  /// Collective, after every rank has synced and closed its own descriptors. Syncs the file once more on all ranks; the
  /// root renames it. Throws ResourceError.
  void commit();

 private:
  const comm::Communicator& comm_;
  std::string path_;
  std::string partial_;
  std::string kept_;
  int first_writer_;
  std::optional<core::PartialFile> made_;  // root only
};

}  // namespace armilla::io
