#pragma once

#include <armilla/job/campaign/file_thread.hpp>
#include <armilla/job/journal/campaign_journal.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/value/output_file.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace armilla::job {

/// Writes the per-map outputs of a campaign in the background and records them in the journal.
template <class T>
class BatchWriter {
 public:
  /// Collective over `world`, the ranks of all groups. Creates the files with a batch axis, or reopens those of earlier
  /// runs. `group` computes; `writers` contains the same ranks and is used by the file thread.
  BatchWriter(const comm::Communicator& world, const comm::Communicator& group, const comm::Communicator& writers,
              const JobPlan& plan, FileThread& files, CampaignJournal& journal);

  /// Not collective; runs in the file thread. Syncs other data that must be on disk before a map is recorded.
  std::function<void()> sync_others = [] {};

  /// Does not communicate, but all ranks of a group must call it in the same order. Takes ownership of the value of the
  /// output.
  void write(std::size_t output, std::shared_ptr<Value<T>> value, const Batch& batch);
  /// Does not communicate, but all ranks of a group must call it in the same order, after the last write() of a batch.
  /// Discards the output written for maps that are absent or were dropped: NaN on a batch axis; single-map files are
  /// removed, also those of an earlier run. Once all data is on disk, the root of the group records the maps. `maps`
  /// holds label, reason and inputs of each map taken by the batch.
  void finish(const Batch& batch, std::vector<CampaignJournal::DoneMap> maps);
  /// Collective over the group. Waits for the writes of the batches before the current one. Rethrows their errors.
  void settle();
  /// Collective over the group. Like settle(), for all batches.
  void settle_all();
  /// Collective over the world, after settle_all() on all ranks. Makes files with a batch axis visible under their
  /// final names, except those that another run completed in the meantime.
  void commit(const CampaignJournal::Published& all);
  /// Write time per map of the slowest batch on this rank [s]. Thread-safe.
  double seconds_per_map() const { return seconds_per_map_; }

 private:
  /// `finished`: number of maps of the batch, for its last work; 0 otherwise.
  void submit(std::function<void()> work, Index finished = 0);
  void write_each(std::size_t output, const Value<T>& value, const Batch& batch);
  void write_batch(std::size_t output, const Value<T>& value, const Batch& batch) const;
  void take_back(std::size_t output, Index item, bool is_own) const;

  const comm::Communicator& group_;
  const comm::Communicator& writers_;
  const comm::Communicator& world_;
  const JobPlan& plan_;
  FileThread& files_;
  CampaignJournal& journal_;
  std::vector<std::unique_ptr<BatchOutput>> batch_files_;  // [output]
  std::vector<std::future<void>> before_, now_;
  std::vector<Batch> handed_over_;  // [output] which maps of the current batch were present at write()

  // Used by the file thread only.
  std::vector<std::vector<JournalFile>> written_;  // [index in the batch] files of the batch being written
  std::optional<core::CaughtError> failure_;       // first error
  double seconds_ = 0;                             // time of the current batch so far
  std::atomic<double> seconds_per_map_ = 0;
};

extern template class BatchWriter<float>;
extern template class BatchWriter<double>;

}  // namespace armilla::job
