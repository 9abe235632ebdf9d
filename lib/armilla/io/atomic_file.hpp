#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/core/types.hpp>

#include <optional>
#include <string>

namespace armilla::io {

using core::Index;

/// A core::PartialFile that all ranks write: it appears under its name complete or not at all. Root creates it and
/// tells the others its name; root removes it where commit() was not reached, unless it is kept.
class AtomicFile {
 public:
  /// Collective. Creates the empty partial file; of a kept one, takes that of an earlier run. Throws InputError if
  /// `output` cannot become a file (core::output_target) or its folder is not writable, ResourceError where the disk is
  /// full.
  AtomicFile(const comm::Communicator& comm, core::OutputPath output);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// The output as the caller named it, for messages.
  const std::string& path() const { return path_; }
  /// Of the partial file; of one that is to be kept, on ranks other than the root, the name after keep().
  const std::string& partial_path() const { return partial_; }
  /// Number of the first of its writers, for their locks.
  int first_writer() const { return first_writer_; }
  const comm::Communicator& comm() const { return comm_; }

  /// Root only. Throws ResourceError unless `bytes` can be stored now; leaves the partial file empty. So a full disk is
  /// found before a library holds unwritten buffers, which it could then neither write nor give up.
  void check_space(Index bytes) const;
  /// Root only. Gives disk blocks to all bytes of the partial file as it stands, holes included. Throws ResourceError.
  void reserve() const;
  /// Root only. Whether the file is one of an earlier run, which must not be laid out again.
  bool is_continued() const { return made_ && made_->is_continued(); }
  /// Root only. Of a file that is to be kept, when it is laid out: see core::PartialFile::keep(). Nothing for others.
  void keep();
  /// Collective. Syncs the file on all ranks; it stays under its partial name. Throws ResourceError.
  void sync() const;
  /// Root only, after sync(). Renames the file. Throws ResourceError.
  void publish();
  /// Root only. Removes the file.
  void discard();
  /// Collective, when every rank has synced and closed what it wrote by descriptors of its own. Syncs the file once
  /// more on all ranks; root renames. Throws ResourceError.
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
