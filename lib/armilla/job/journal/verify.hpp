#pragma once

#include <armilla/job/journal/journal.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// A file whose checksum was recorded when it was written.
struct RecordedFile {
  std::string path;
  Index size = 0;
  std::string checksum;
};

/// The files that the journals of a campaign say are complete: of each map the newest line, of each other file too.
std::vector<RecordedFile> recorded_files(const Journal& journal, const JournalPlace& place);

/// The files that `what` records: a report of a run (JSON), a job file, or a folder with journals. Throws InputError
/// if it records none. Without MPI.
std::vector<RecordedFile> recorded_files(const std::string& what, const std::vector<std::string>& overrides,
                                         const std::string& output_dir = {});

/// What is wrong with a file, for people; empty if it is as it was written. Reads the whole file.
std::string difference_of(const RecordedFile& file);

}  // namespace armilla::job
