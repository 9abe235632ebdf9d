#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Files named on a command line.
namespace armilla::job {

/// The file itself; for a pattern the first existing file, which represents all files.
std::string sample_file(const std::string& file);

/// Replaces `~/` by the home folder. Shells expand it only at the beginning of a word, not in `KEY=~/file`.
std::string without_tilde(const std::string& file);

/// The path for use in a job, with `$` and `~` escaped.
std::string path_text(const std::string& file);

/// The contents of compressed files that a command has read, which are inflated once while they are held.
struct HeldContents {
  std::optional<Index> memory_limit = {};  ///< of the run
  std::vector<std::shared_ptr<const void>> files = {};

  /// Holds those of a file, if it is compressed. Throws like io::inflated_contents().
  void hold(const std::string& file);
};

/// The type of input as which the file is read, from its header. Its contents are held. Throws InputError.
ValueSort sort_in(const std::string& file, HeldContents& held);

}  // namespace armilla::job
