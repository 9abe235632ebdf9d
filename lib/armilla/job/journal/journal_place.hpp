#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <string>

namespace armilla::job {

/// Folder for the journals of campaigns, next to the outputs.
inline constexpr const char* kJournalFolder = ".armilla";

/// Location of the journal of a campaign, and its identifier within the folder.
struct JournalPlace {
  std::string base;      ///< deepest common folder of the first outputs of all maps; "." for the current one
  std::string campaign;  ///< 16 hexadecimal digits: of the name of the first output within `base`

  std::string folder() const { return base + "/" + kJournalFolder; }
  /// The path of a file as stored in the journal. It is relative if the file is inside `base`, so that a folder can be
  /// moved.
  std::string relative(const std::string& file) const;
  /// Inverse of relative().
  std::string resolved(const std::string& file) const;
};

/// Not collective; does not access files. The job must have outputs.
JournalPlace journal_place(const JobSpec& spec);

/// The file that holds a batch axis until it is complete, in kJournalFolder next to its output. `layout` distinguishes
/// files with other maps or other parameters. Throws InputError like core::output_target().
std::string unfinished_file(const JournalPlace& place, const std::string& output, const std::string& layout);

/// The unfinished file of the spectra of value `value`, from which a job computes statistics.
std::string spectra_file(const JournalPlace& place, std::size_t value, const std::string& layout);

}  // namespace armilla::job
