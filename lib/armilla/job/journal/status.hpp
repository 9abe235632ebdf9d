#pragma once

#include <armilla/job/journal/journal.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// How far a campaign is, by its journals.
struct CampaignStatus {
  std::string folder;                  ///< of the journals
  std::string campaign;                ///< JournalPlace::campaign
  std::string job;                     ///< of the newest run
  Index maps = 0;                      ///< of the campaign; 0 if no run has begun
  Index done = 0;                      ///< with the settings of the newest run
  Index left_out = 0;                  ///< maps that could not be used
  Index failed = 0;                    ///< maps that ended a run, and were not done since
  std::vector<RunEntry> live;          ///< runs that hold the lock of their journal
  std::optional<RunEntry> last;        ///< the newest run
  double maps_per_second = 0;          ///< of the live runs together, else of the newest one
  std::optional<double> seconds_left;  ///< while a run is live
  std::vector<std::pair<std::string, std::string>>
      failures;  ///< label and reason, of maps that failed or were left out

  Index left() const { return maps - done - left_out; }
};

/// The folders of journals, and campaigns, that `what` stands for: a job file, or a folder that holds the outputs of
/// campaigns, or their journals. `overrides` and `output_dir` as in read_job(). Throws InputError if it is neither.
std::vector<JournalPlace> journal_places(const std::string& what, const std::vector<std::string>& overrides,
                                         const std::string& output_dir = {});

// Neither of these is collective or calls MPI.

CampaignStatus campaign_status(const JournalPlace& place);
nlohmann::json status_json(const std::vector<CampaignStatus>& all);
std::string status_text(const std::vector<CampaignStatus>& all);

/// A word that changes exactly when maps, files of all maps, or iterations of a checkpoint have been completed since.
/// Runs that begin, end or fail leave it alone, and so do maps that are done again with the same result.
std::string status_token(const std::vector<JournalPlace>& places);

}  // namespace armilla::job
