#pragma once

#include <armilla/job/campaign/spectra_file.hpp>
#include <armilla/job/journal/campaign_journal.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/plan_runner.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace armilla::job {

/// The statistics of a campaign: the stores of the spectra of all maps, and the files computed from them.
class CampaignStatistics {
 public:
  CampaignStatistics(const comm::Communicator& world, const JobPlan& plan, CampaignJournal& journal)
      : world_(world), plan_(plan), journal_(journal) {}

  /// Collective. Opens the stores, or continues those of earlier runs.
  void open();
  /// Not collective. Syncs the spectra written so far.
  void sync();
  const std::map<std::size_t, std::unique_ptr<SpectraFile>>& stores() const { return stores_; }  ///< [value]

  /// Collective. Call while the journal is locked, after all maps are done. Writes the files that no other part of the
  /// campaign has written, and removes the stores unless maps were left out. Throws InputError for values that are not
  /// finite.
  void write(const CampaignJournal::Published& all, Progress& progress, RunRecord& record);

 private:
  /// Whether another run has written all outputs of these statistics.
  bool is_published(std::size_t value, const CampaignJournal::Published& all) const;

  const comm::Communicator& world_;
  const JobPlan& plan_;
  CampaignJournal& journal_;
  std::map<std::size_t, std::unique_ptr<SpectraFile>> stores_;
};

}  // namespace armilla::job
