#pragma once

#include <armilla/job/journal/campaign_key.hpp>
#include <armilla/job/journal/journal.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// A campaign as its journals and its files stand, seen by one process. Nothing in here is collective.
class CampaignView {
 public:
  /// Reads the journals. `plan` and `key` must live as long.
  CampaignView(const JobPlan& plan, const CampaignKey& key);

  const JournalPlace& place() const { return place_; }
  const Journal& journal() const { return journal_; }

  /// [map] of all maps: 1 if it was done with this key, 0 if it was left out, -1 if it is still to do.
  std::vector<Index> states() const;
  /// Whether an output that is one file is there as a run with this key completed it; of files of all maps, with the
  /// maps of states().
  bool is_published(std::size_t output) const;
  /// Of an output with a batch axis: whether the maps that were done are in its unfinished or its complete file.
  bool is_usable(std::size_t output) const;
  /// Whether the spectra of all maps that were done are kept, of all statistics.
  bool has_spectra() const;
  /// Whether all that is one file of all maps, or of none, is there.
  bool is_all_published() const;
  /// Whether map number `item` was done with this key, its inputs have not changed since, and its own files are there.
  bool is_done(Index item) const;
  /// Throws InputError, which says what differs, where outputs of map `item` are there that were made with another key.
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
