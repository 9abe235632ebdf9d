#pragma once

#include <armilla/job/journal/campaign_key.hpp>
#include <armilla/job/journal/journal.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// The state of a campaign according to its journals and files, as seen by one process. No member is collective.
class CampaignView {
 public:
  /// Reads the journals. `plan` and `key` must outlive the view.
  CampaignView(const JobPlan& plan, const CampaignKey& key);

  const JournalPlace& place() const { return place_; }
  const Journal& journal() const { return journal_; }

  /// [map] of all maps: 1 if it was done with this key, 0 if it was left out, -1 if it is still to be done.
  std::vector<Index> states() const;
  /// Digest of states() and of the inputs of each map, which determine the contents of a file of all maps.
  std::string states_digest() const;
  /// Whether a single-file output exists as completed by a run with this key; files of all maps must hold the maps of
  /// states().
  bool is_published(std::size_t output) const;
  /// For an output with a batch axis: whether the completed maps are in its unfinished or its complete file.
  bool is_usable(std::size_t output) const;
  /// Whether the file of the spectra of statistics `value` is long enough for those of all completed maps.
  bool has_spectra(std::size_t value) const;
  /// has_spectra(value) for all statistics.
  bool has_spectra() const;
  /// Whether all outputs exist that are one file for all maps, or independent of maps.
  bool is_all_published() const;
  /// Whether the map with index `item` was done with this key, its inputs are unchanged, and its own files exist.
  bool is_done(Index item) const;
  /// Throws InputError, which lists the differences, if outputs of map `item` made with another key exist.
  void refuse_other_key(Index item) const;

  bool is_statistics(std::size_t output) const;
  std::string unfinished(std::size_t output) const;
  std::string spectra(std::size_t value) const { return spectra_file(place_, value, key_.layout); }

 private:
  std::string existing_output(const MapEntry& entry) const;

  const JobPlan& plan_;
  const CampaignKey& key_;
  JournalPlace place_;
  Journal journal_;
};

}  // namespace armilla::job
