#pragma once

#include <armilla/job/journal/journal.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// Progress of a campaign, from its journals.
struct CampaignStatus {
  std::string folder;                  ///< of the journals
  std::string campaign;                ///< identifier, JournalPlace::campaign
  std::string job;                     ///< job of the latest run
  Index maps = 0;                      ///< number of maps of the campaign; 0 if no run has begun
  Index done = 0;                      ///< maps that are done with the settings of the latest run
  Index left_out = 0;                  ///< maps that could not be used
  Index failed = 0;                    ///< maps that ended a run and have not been done since
  std::vector<RunEntry> live;          ///< runs that hold the lock of their journal
  std::optional<RunEntry> last;        ///< the latest run
  double maps_per_second = 0;          ///< of all live runs together, otherwise of the latest run
  std::optional<double> seconds_left;  ///< while a run is live
  std::vector<std::pair<std::string, std::string>>
      failures;  ///< label and reason, for maps that failed or were left out

  Index left() const { return maps - done - left_out; }
};

/// The folders of journals, and campaigns, denoted by `what`: a job file, or a folder with the outputs or the journals
/// of campaigns. `overrides` and `output_dir` as in read_job(). Throws InputError if it is neither.
std::vector<JournalPlace> journal_places(const std::string& what, const std::vector<std::string>& overrides,
                                         const std::string& output_dir = {});

// Neither function is collective or calls MPI.

CampaignStatus campaign_status(const JournalPlace& place);
nlohmann::json status_json(const std::vector<CampaignStatus>& all);
std::string status_text(const std::vector<CampaignStatus>& all);

/// A token that changes if and only if maps, files of all maps, or iterations of a checkpoint have been completed. It
/// does not change if runs start, end or fail, or if maps are recomputed with the same result.
std::string status_token(const std::vector<JournalPlace>& places);

}  // namespace armilla::job
