#pragma once

#include <armilla/job/journal/journal.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::job {

/// A file whose checksum was recorded when it was written.
struct RecordedFile {
  std::string path;
  Index size = 0;
  std::string checksum;
};

/// Not collective. The contents of a file that is an Armilla report; std::nullopt for a file with other contents.
/// Throws InputError or ResourceError if it cannot be read.
std::optional<nlohmann::json> read_report(const std::string& file);

/// The files that are complete according to the journals of a campaign. For each map and each other file, the latest
/// line applies.
std::vector<RecordedFile> recorded_files(const Journal& journal, const JournalPlace& place);

/// The files recorded by `what`: a run report (JSON), a job file, or a folder with journals. Does not use MPI. Throws
/// InputError if it records none.
std::vector<RecordedFile> recorded_files(const std::string& what, const std::vector<std::string>& overrides,
                                         const std::string& output_dir = {});

/// How a file differs from its record, human-readable; empty if it is unchanged. Reads the whole file.
std::string difference_of(const RecordedFile& file);

}  // namespace armilla::job
