#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/journal/campaign_journal.hpp>

#include <array>
#include <string>

namespace armilla::job {

/// The FFT plans of a campaign (FFTW's wisdom, in both precisions), kept beside its journal: the last bits of results
/// depend on them, so that a run that continues on another day or another machine has to take the same.
class CampaignFftPlans {
 public:
  /// Collective. Reads what earlier runs of the campaign have kept. Runs that begin at the same time wait here for each
  /// other until keep(), so that one of them measures for all.
  CampaignFftPlans(const comm::Communicator& world, const CampaignJournal& journal);
  CampaignFftPlans(const CampaignFftPlans&) = delete;
  CampaignFftPlans& operator=(const CampaignFftPlans&) = delete;

  /// Not collective, on all ranks alike: the plans of the campaign count, whatever was read or measured since.
  void take() const;
  /// Not collective; the root keeps what the process knows by now, where that is more. A file that cannot be written is
  /// a warning.
  void keep();

 private:
  const comm::Communicator& world_;
  std::string folder_;                // empty: there is no journal
  std::array<std::string, 2> texts_;  // of float and double
  std::optional<core::FileLock> lock_;
};

}  // namespace armilla::job
