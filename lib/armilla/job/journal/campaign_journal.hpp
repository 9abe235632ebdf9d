#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/file_lock.hpp>
#include <armilla/job/journal/campaign_view.hpp>
#include <armilla/job/journal/journal_writer.hpp>
#include <armilla/job/journal/selection.hpp>
#include <armilla/job/plan/plan.hpp>

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace armilla::job {

/// The journal of one run of a campaign. The root of each group of ranks writes a file of its own, so that a map is
/// recorded as soon as its files are complete, whatever other groups do; when the run ends in order, the root of the
/// world puts all lines into its own. A campaign without outputs has no journal: nothing is recorded.
class CampaignJournal {
 public:
  /// Collective. Begins the journal, in the folder beside the outputs. Waits up to `patience` seconds for a run that
  /// works on some of the same maps, then throws InputError, which names it. Removes partial files that dead runs of
  /// other parts left.
  CampaignJournal(const comm::Communicator& world, const JobPlan& plan, const std::string& report_file,
                  double patience);
  /// On the root, removes the journal of a run that did nothing, and folders that are empty.
  ~CampaignJournal();
  CampaignJournal(const CampaignJournal&) = delete;
  CampaignJournal& operator=(const CampaignJournal&) = delete;

  /// Collective. The plan is final: records its key, and prepares the files of all maps, so that what earlier runs
  /// wrote is continued. With `restart`, what they did to the maps of this part counts no more. Other runs neither
  /// begin nor complete files until release(), which comes when those of this run are open.
  void begin(const JobPlan& plan, const Selection& selection, bool restart);
  /// Collective over the world, before groups go their own ways.
  void open_group(int group, bool is_group_root);

  /// For files of all maps, so that they outlive the run.
  core::OutputPath unfinished(const JobPlan& plan, std::size_t output) const;
  core::OutputPath spectra(const JobPlan& plan, std::size_t output) const;
  /// False of a campaign without outputs.
  bool is_kept() const { return is_kept_; }
  /// Whether a file of all maps was complete before, of a run that takes no maps: it must not be opened.
  bool was_complete(std::size_t output) const { return !complete_.empty() && complete_[output] != 0; }
  const std::string& layout() const { return key_.layout; }
  const JournalPlace& place() const { return place_; }

  // Not collective; by the root of a group, from any thread. All throw ResourceError.

  /// A map that was done, or left out for a reason, with what it was made of.
  struct DoneMap {
    std::string label;
    bool left_out = false;
    std::string reason;
    nlohmann::json inputs;
    std::vector<JournalFile> outputs;
  };
  void add(const std::vector<DoneMap>& maps);
  void add_failed(const std::string& label, const std::string& reason);

  // Of files of all maps.

  struct Published {
    std::vector<Index> states;     ///< as CampaignView::states()
    std::vector<Index> published;  ///< [output] 1 if another run has completed it meanwhile
    bool is_complete() const;      ///< no map is left
  };
  /// Collective, when all maps of this run are in the journal; `there`: [map] 1 if this run did it, of `items`.
  /// Other runs that call it wait until release().
  Published gather(const JobPlan& plan, std::span<const Index> items, std::span<const Index> there);
  void release();
  /// Collective. Records the output, whose content is `path` (its partial or its final name), complete and synced.
  void add_file(const JobPlan& plan, std::size_t output, const std::string& path, const std::vector<Index>& states);

  /// Not collective; for the root. The last line of the run; nothing is kept of one that did nothing.
  void finish(const std::string& state, const std::string& reason);

 private:
  void open(const JobPlan& plan, const std::string& report_file, double patience);
  void prepare_files(const JobPlan& plan, const Selection& selection, bool restart, std::vector<nlohmann::json>& lines);
  void remove_stale(const CampaignView& view) const;
  void take_group_files();
  void append(const std::vector<nlohmann::json>& lines);
  core::FileLock lock(double patience) const;
  /// The time of a new line [s]: of the clock of this host, or behind the last line that was there when the run began,
  /// where the clock of another host was ahead of it.
  double now() const;

  const comm::Communicator& world_;
  bool is_kept_;  // whether there is a journal
  JournalPlace place_;
  std::string run_;
  CampaignKey key_;
  std::set<std::string> folders_;          // of the journal and unfinished files, on the root of the world
  std::unique_ptr<JournalWriter> writer_;  // of the root of the world
  std::unique_ptr<JournalWriter> group_;   // of the root of another group
  std::string group_path_;
  std::vector<Index> complete_;  // [output] was_complete()
  std::optional<core::FileLock> exclusive_;
  double ahead_ = 0;  // [s] of the clock of this host
  bool did_something_ = false;
  bool is_finished_ = false;
};

/// Collective. Size, time and checksum of a complete file. The stamp is known on the root only.
JournalFile recorded(const comm::Communicator& comm, const JournalPlace& place, const std::string& file,
                     const std::string& path);

}  // namespace armilla::job
