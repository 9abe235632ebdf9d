#pragma once

#include <armilla/job/journal/campaign_key.hpp>
#include <armilla/job/journal/journal_place.hpp>

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace armilla::job {

/// Seconds since 1970, by the clock of this machine.
double clock_seconds();

/// A file as recorded in a journal.
struct JournalFile {
  std::string file;      ///< JournalPlace::relative()
  FileStamp stamp = {};  ///< for files of one map, and for complete files
  std::string checksum;  ///< io::file_checksum(); for the same files
  std::string layout;    ///< for files of all maps (CampaignKey::layout)
};

/// The latest line about a map.
struct MapEntry {
  std::string run;
  double time = 0;
  bool left_out = false;
  std::string reason;     ///< why it was left out or failed
  nlohmann::json inputs;  ///< map_inputs()
  std::vector<JournalFile> outputs;
};

/// A completed file of all maps, or one that is independent of maps.
struct FileEntry {
  std::string run;
  double time = 0;
  std::string output;  ///< name of the value
  JournalFile file;
  std::string states;  ///< which maps it holds (CampaignView::states_digest); empty if it is independent of maps
};

/// A run of the program.
struct RunEntry {
  std::string id, job, host, start, version, mark;
  Index process = 0;
  int ranks = 1;
  CampaignPart part = {};
  Index maps = 0;            ///< number of maps of the campaign
  Index first = 0, end = 0;  ///< first map and end of its part
  Index to_do = 0;           ///< maps that it intended to do
  Index done = 0;            ///< maps that it did, including those left out
  double time = 0;           ///< time of its start
  double last_time = 0;      ///< time of its last line
  nlohmann::json key;        ///< CampaignKey::content; null if the run ended before
  std::string digest;        ///< of `key`
  std::string state;         ///< "done", "stopped", "failed"; empty if there is no last line
  std::string reason;
  bool is_live = false;  ///< whether its lock is held
  std::string file;      ///< path of its journal
};

/// The merged journals of a campaign; for each map the latest line applies.
struct Journal {
  std::vector<RunEntry> runs;              ///< in the order of their start
  std::map<std::string, MapEntry> maps;    ///< by label
  std::map<std::string, MapEntry> failed;  ///< maps at which a run failed and that have not been done since
  std::vector<FileEntry> files;            ///< in the order of their times
  std::size_t ignored_lines = 0;           ///< lines that are not JSON and not the last of their file

  const RunEntry* run(const std::string& id) const;
  /// The digest of the key of the run that wrote the entry; empty if unknown.
  std::string digest_of(const std::string& run_id) const;
};

/// The name of a file of a journal ends so.
inline constexpr const char* kJournalEnding = ".jsonl";

/// The complete lines of a file that are JSON objects; adds the number of others to `ignored`. A missing file has none.
/// Throws ResourceError if the file cannot be read.
std::vector<nlohmann::json> journal_lines(const std::string& file, std::size_t& ignored);

/// Not collective, without MPI. Reads all journals of the campaign in that folder. A torn last line of a file is
/// ignored. Lines of unknown runs and files of other campaigns are ignored, too. A missing folder has no journals.
/// Throws ResourceError if the folder or a file cannot be read.
Journal read_journal(const std::string& folder, const std::string& campaign);

/// The campaigns that have journals in a folder.
std::vector<std::string> campaigns_in(const std::string& folder);

nlohmann::json to_json(const JournalFile& file);
JournalFile journal_file_of(const nlohmann::json& value);

}  // namespace armilla::job
