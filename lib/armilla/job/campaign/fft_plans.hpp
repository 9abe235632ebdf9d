#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/journal/campaign_journal.hpp>

#include <array>
#include <string>

namespace armilla::job {

/// The FFT plans of a campaign (FFTW's wisdom, in both precisions), stored next to its journal. The last bits of
/// results depend on the plans, so a run that continues on another day or machine must use the same plans.
class CampaignFftPlans {
 public:
  /// Collective. Reads the plans stored by earlier runs of the campaign. Concurrent runs wait here until keep(), so
  /// that a single run measures for all.
  CampaignFftPlans(const comm::Communicator& world, const CampaignJournal& journal);
  CampaignFftPlans(const CampaignFftPlans&) = delete;
  CampaignFftPlans& operator=(const CampaignFftPlans&) = delete;

  /// Does not communicate; call it on all ranks. Restores the plans of the campaign, overriding plans read or measured
  /// since.
  void take() const;
  /// Not collective. The root stores the plans of the process if it knows more than the file. A file that cannot be
  /// written, also for lack of memory, causes a warning.
  void keep();

 private:
  void keep(std::size_t precision);
  void warn_unwritten(std::size_t precision) const;

  const comm::Communicator& world_;
  std::string folder_;                // empty without a journal
  std::array<std::string, 2> texts_;  // of float and double
  std::optional<core::FileLock> lock_;
};

}  // namespace armilla::job
