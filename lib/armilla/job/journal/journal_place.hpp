#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <string>

namespace armilla::job {

/// The folder for the journals of campaigns: beside the outputs.
inline constexpr const char* kJournalFolder = ".armilla";

/// Where the journal of a campaign is, and what tells it from others in the same folder.
struct JournalPlace {
  std::string base;      ///< the deepest folder that the first outputs of all maps share; "." for the current one
  std::string campaign;  ///< 16 hexadecimal digits: of the name of the first output within `base`

  std::string folder() const { return base + "/" + kJournalFolder; }
  /// The path of a file as the journal has it: relative where it lies within `base`, so that a folder can be moved.
  std::string relative(const std::string& file) const;
  /// The reverse of relative().
  std::string resolved(const std::string& file) const;
};

/// Of a job with outputs. Not collective; looks at no file.
JournalPlace journal_place(const JobSpec& spec);

/// The file that holds a batch axis until it is complete: in kJournalFolder beside its output. `layout` tells apart
/// files of other maps or other numbers. Throws InputError as core::output_target().
std::string unfinished_file(const JournalPlace& place, const std::string& output, const std::string& layout);

/// Likewise the spectra of which value `value` of a job takes statistics.
std::string spectra_file(const JournalPlace& place, std::size_t value, const std::string& layout);

}  // namespace armilla::job
