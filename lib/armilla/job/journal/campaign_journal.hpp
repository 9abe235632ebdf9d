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

/// The journal of one run of a campaign. The root of each group of ranks writes its own file, so that a map is recorded
/// as soon as its files are complete, independently of other groups. When the run ends normally, the root of the world
/// merges all lines into its own file. A campaign without outputs has no journal.
class CampaignJournal {
 public:
  /// Collective. Starts the journal, in the folder next to the outputs. Waits up to `patience` seconds for a run that
  /// processes some of the same maps, then throws InputError, which names it. Also throws InputError, here and in all
  /// members that lock the journal, if the run that holds the lock gives no sign of life: it may be suspended. Removes
  /// partial files left by dead runs of other parts.
  CampaignJournal(const comm::Communicator& world, const JobPlan& plan, const std::string& report_file,
                  double patience);
  /// On the root, removes the journal of a run that did nothing, and empty folders.
  ~CampaignJournal();
  CampaignJournal(const CampaignJournal&) = delete;
  CampaignJournal& operator=(const CampaignJournal&) = delete;

  /// Collective. Call with the final plan. Records its key and prepares the files of all maps, so that the output of
  /// earlier runs is continued. With `restart`, earlier results for the maps of this part are discarded. Other runs
  /// neither start nor complete files until release(), which is called once the files of this run are open.
  void begin(const JobPlan& plan, const Selection& selection, bool restart);
  /// Collective over the world; call before the groups separate.
  void open_group(int group, bool is_group_root);

  /// Path for files of all maps, which outlive the run.
  core::OutputPath unfinished(const JobPlan& plan, std::size_t output) const;
  core::OutputPath spectra(const JobPlan& plan, std::size_t output) const;
  /// False for a campaign without outputs.
  bool is_kept() const { return is_kept_; }
  /// Whether a file of all maps was already complete, in a run that takes no maps; it must not be opened.
  bool was_complete(std::size_t output) const { return !complete_.empty() && complete_[output] != 0; }
  const std::string& layout() const { return key_.layout; }
  const JournalPlace& place() const { return place_; }

  // Not collective; called by the root of a group, from any thread. All throw ResourceError.

  /// A map that was done, or left out with a reason, and its inputs.
  struct DoneMap {
    std::string label;
    bool left_out = false;
    std::string reason;
    nlohmann::json inputs;
    std::vector<JournalFile> outputs;
  };
  void add(const std::vector<DoneMap>& maps);
  void add_failed(const std::string& label, const std::string& reason);

  // State of files of all maps.

  struct Published {
    std::vector<Index> states;     ///< as CampaignView::states()
    std::vector<Index> published;  ///< [output] 1 if another run completed it in the meantime
    bool is_complete() const;      ///< whether no maps remain
  };
  /// Collective. Call when all maps of this run are in the journal; `there`: [map] 1 if this run did it, of `items`.
  /// Other runs that call it wait until release().
  Published gather(const JobPlan& plan, std::span<const Index> items, std::span<const Index> there);
  void release();
  /// Collective. Records the output with the content of `path` (its partial or its final name), complete and synced.
  void add_file(const JobPlan& plan, std::size_t output, const std::string& path, const std::vector<Index>& states);

  /// Not collective; root only. Writes the last line of the run; a run that did nothing is not kept.
  void finish(const std::string& state, const std::string& reason);

 private:
  void open(const JobPlan& plan, const std::string& report_file, double patience);
  void prepare_files(const JobPlan& plan, const Selection& selection, bool restart, std::vector<nlohmann::json>& lines);
  void remove_stale(const CampaignView& view) const;
  void take_group_files();
  void append(const std::vector<nlohmann::json>& lines);
  core::FileLock lock() const;
  /// The time of a new line [s]: by the clock of this host, or just after the last line that existed at the start of
  /// the run, if the clock of another host was ahead.
  double now() const;

  const comm::Communicator& world_;
  bool is_kept_;     // whether there is a journal
  double patience_;  // [s] for a run that holds the lock and gives no sign of life
  JournalPlace place_;
  std::string run_;
  CampaignKey key_;
  std::set<std::string> folders_;          // folders of the journal and unfinished files, on the root of the world
  std::unique_ptr<JournalWriter> writer_;  // of the root of the world
  std::unique_ptr<JournalWriter> group_;   // only on roots of other groups
  std::string group_path_;
  std::vector<Index> complete_;  // [output] was_complete()
  std::optional<core::FileLock> exclusive_;
  double ahead_ = 0;  // [s] relative to the clock of this host
  bool did_something_ = false;
  bool is_finished_ = false;
};

/// Collective. Size, time and checksum of a complete file. The stamp is known on the root only.
JournalFile recorded(const comm::Communicator& comm, const JournalPlace& place, const std::string& file,
                     const std::string& path);

}  // namespace armilla::job
